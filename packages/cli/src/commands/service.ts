/** `countersign service`: the gateway as a service of this user. What it writes and runs is a list that `--dry-run` prints. */
import { existsSync } from 'node:fs'
import { userInfo } from 'node:os'
import { errorCatalogue } from '@countersign/contract'
import type { Context, Handler } from '../context.ts'
import { lastLines, startMs } from '../gateway-process.ts'
import { type Lease, liveLeases } from '../leases.ts'
import { type CommandAnswer, done, failed } from '../output/answer.ts'
import { columns } from '../output/columns.ts'
import { line } from '../output/safe-text.ts'
import { serviceState, silenceOf } from '../service/manager-state.ts'
import { installSteps, uninstallSteps, type Verb, verbSteps } from '../service/plan.ts'
import { type ServiceKind, type ServicePaths, servicePathsFor } from '../service/service-paths.ts'
import { carryOut, commandLine, type ServiceStep, stepText } from '../service/service-step.ts'
import { isPassing, ownProgram } from '../service/shim.ts'

const lookMs = 100
const logLines = 20

export const install: Handler = async (context, _args, options) => {
  const servicePaths = await servicePathsOf(context)
  if (servicePaths === undefined) return noManager(context)
  const program = ownProgram()
  if (isPassing(program))
    return failed({
      type: 'conflict',
      message: `This copy of the program is temporary: ${program}.`,
      next: 'Install it with `npm install -g countersign`, then run `countersign service install`.',
      exit: errorCatalogue.conflict.exit,
    })
  const steps = installSteps(servicePaths, { node: process.execPath, program })
  if (options['dryRun'] === true) return planned(steps)
  const refusal = await obstacle(context, servicePaths, steps)
  if (refusal) return refusal
  const next = nextCommands(servicePaths)
  return done(
    {
      system: servicePaths.system,
      name: servicePaths.name,
      file: servicePaths.file,
      shim: servicePaths.shim,
      next,
    },
    () =>
      [
        columns([
          ['Installed', servicePaths.name],
          ['File', servicePaths.file],
          ['Shim', `${servicePaths.shim}  finds Node and the program at each start`],
          ['Log', servicePaths.log],
        ]),
        ...secretWords(context, servicePaths),
        '',
        'Next',
        ...next.map(({ command, why }) => `  ${command}  # ${why}`),
      ].join('\n'),
  )
}

export const uninstall: Handler = async (context, _args, options) => {
  const servicePaths = await servicePathsOf(context)
  if (servicePaths === undefined) return noManager(context)
  const steps = uninstallSteps(servicePaths)
  if (options['dryRun'] === true) return planned(steps)
  const removed = [servicePaths.file, servicePaths.shim].filter((path) => existsSync(path))
  if (removed.length === 0) return done({ removed }, 'The service is not installed. Nothing was removed.')
  await carryOut(steps, context.host.runProgram)
  return done({ removed }, `Removed ${removed.join(' and ')}. The data stays.`)
}

const turn =
  (verb: Verb): Handler =>
  async (context, _args, options) => {
    const servicePaths = await servicePathsOf(context)
    if (servicePaths === undefined) return noManager(context)
    if (!existsSync(servicePaths.file)) return notInstalled(servicePaths)
    const steps = verbSteps(verb, servicePaths)
    if (options['dryRun'] === true) return planned(steps)
    const before = liveLeases(await context.paths())
    if (verb === 'start') {
      const taken = await takenBy(context, servicePaths, before)
      if (taken) return taken
    }
    const refusal = await obstacle(context, servicePaths, steps)
    if (refusal) return refusal
    if (verb === 'stop')
      return done({ stopped: true }, `Stopped ${servicePaths.name}. It starts again at the next login.`)
    return begun(context, servicePaths, verb === 'restart' ? before.map(({ pid }) => pid) : [])
  }

export const start = turn('start')
export const stop = turn('stop')
export const restart = turn('restart')

export const status: Handler = async (context) => {
  const servicePaths = await servicePathsOf(context)
  if (servicePaths === undefined) return noManager(context)
  const [gateway] = liveLeases(await context.paths())
  const installed = existsSync(servicePaths.file)
  const silence = installed ? await silenceOf(servicePaths, context.host.runProgram) : undefined
  const state =
    installed && silence === undefined ? await serviceState(servicePaths, context.host.runProgram) : undefined
  const data = {
    system: servicePaths.system,
    name: servicePaths.name,
    file: servicePaths.file,
    installed,
    enabled: state?.enabled ?? null,
    active: state?.active ?? null,
    pid: state?.pid ?? null,
    problem: silence ?? null,
    gateway: gateway ?? null,
  }
  return done(data, () =>
    columns([
      [
        'Service',
        installed ? servicePaths.name : 'not installed; install it with `countersign service install`',
      ],
      ...(installed ? [['File', servicePaths.file]] : []),
      ...(silence === undefined ? [] : [['Problem', `${line(silence)}. Run \`countersign up\` instead.`]]),
      ...(state === undefined
        ? []
        : [
            ['State', `${line(state.words)}${state.pid === null ? '' : `  pid ${state.pid}`}`],
            ['At login', state.enabled ? 'starts' : 'does not start'],
          ]),
      ['Gateway', gateway === undefined ? 'none is running' : `${line(gateway.url)}  pid ${gateway.pid}`],
    ]),
  )
}

export async function servicePathsOf(
  context: Context,
  of: ServiceKind = 'gateway',
): Promise<ServicePaths | undefined> {
  const { platform, environment } = context.host
  return servicePathsFor({ platform, environment, paths: await context.paths(), user: userInfo().uid, of })
}

/** Exactly what would happen, files whole. */
export function planned(steps: readonly ServiceStep[]): CommandAnswer {
  return done({ dryRun: true, steps }, () =>
    [...steps.map(stepText), '', 'Nothing was done. Remove --dry-run to do it.'].join('\n'),
  )
}

/** Asks before anything is written whether the manager is there, then does the steps. */
async function obstacle(
  context: Context,
  servicePaths: ServicePaths,
  steps: readonly ServiceStep[],
): Promise<CommandAnswer | undefined> {
  const { runProgram } = context.host
  const silence = await silenceOf(servicePaths, runProgram)
  if (silence !== undefined)
    return failed({
      type: 'not_found',
      message: `There is no ${servicePaths.system} for your user here. ${line(silence)}.`,
      next: 'Run `countersign up`; it starts the gateway without a service. Over SSH or in a container a service manager for users is often missing.',
      exit: errorCatalogue.not_found.exit,
      details: { system: servicePaths.system },
    })
  for (const step of steps) context.detail(stepText(step).split('\n')[0] ?? '')
  const outcome = await carryOut(steps, runProgram)
  if (outcome.kind === 'done') return undefined
  return failed({
    type: 'internal',
    message:
      outcome.step.kind === 'run'
        ? `\`${commandLine(outcome.step)}\` failed: ${line(outcome.why)}.`
        : `${line(outcome.step.path)} was not written: ${line(outcome.why)}.`,
    next: `Read \`countersign service logs\`, or run \`countersign up\` to start the gateway without a service.`,
    exit: errorCatalogue.internal.exit,
  })
}

/** A gateway that was started by hand holds the home; the service would end at once. */
async function takenBy(
  context: Context,
  servicePaths: ServicePaths,
  leases: readonly Lease[],
): Promise<CommandAnswer | undefined> {
  const [held] = leases
  if (held === undefined) return undefined
  if ((await serviceState(servicePaths, context.host.runProgram)).active)
    return done({ url: held.url, pid: held.pid, already: true }, `Already running: ${line(held.url)}`)
  return failed({
    type: 'conflict',
    message: `A gateway outside of the service is running (pid ${held.pid}).`,
    next: 'Run `countersign down`, then `countersign service start`.',
    exit: errorCatalogue.conflict.exit,
    details: { pid: held.pid },
  })
}

async function begun(
  context: Context,
  servicePaths: ServicePaths,
  old: readonly number[],
): Promise<CommandAnswer> {
  const { host, flags } = context
  const paths = await context.paths()
  const limit = flags.waitMs ?? startMs
  const began = host.clock().getTime()
  for (;;) {
    const found = liveLeases(paths).find(({ pid }) => !old.includes(pid))
    if (found) return done({ url: found.url, pid: found.pid, already: false }, `Running: ${line(found.url)}`)
    if (host.clock().getTime() - began >= limit) break
    await host.wait(lookMs)
  }
  const tail = lastLines(servicePaths.log, logLines)
  if (!flags.json) for (const entry of tail) host.errors.write(`  ${line(entry)}\n`)
  return failed({
    type: 'timeout',
    message: `The service was started, but the gateway did not respond within ${Math.round(limit / 1_000)} s.`,
    next: `Read ${servicePaths.log}, or run \`countersign doctor\`.`,
    exit: errorCatalogue.timeout.exit,
    details: { log: servicePaths.log, tail },
  })
}

function nextCommands(servicePaths: ServicePaths): { readonly command: string; readonly why: string }[] {
  const begin = { command: 'countersign service start', why: 'start it now' }
  return servicePaths.system === 'systemd'
    ? [begin, { command: 'loginctl enable-linger', why: 'keep it running while you are logged out' }]
    : [begin]
}

function secretWords(context: Context, servicePaths: ServicePaths): string[] {
  const names = context.host.environment.secretSettings
  if (names.length === 0) return []
  const way =
    servicePaths.system === 'systemd'
      ? `Put them into ${servicePaths.secretsFile} with mode 600, one NAME=value a line.`
      : 'launchd has no private file for them; use the settings file or `countersign provider add`.'
  return ['', `Not copied, because they hold secrets: ${names.join(', ')}. ${way}`]
}

function notInstalled(servicePaths: ServicePaths): CommandAnswer {
  return failed({
    type: 'not_found',
    message: `The service is not installed: there is no ${servicePaths.file}.`,
    next: 'Install it with `countersign service install`, or run `countersign up` without a service.',
    exit: errorCatalogue.not_found.exit,
  })
}

function noManager({ host }: Context): CommandAnswer {
  return failed({
    type: 'not_found',
    message: `Services on ${host.platform} are not supported; systemd and launchd are.`,
    next: 'Run `countersign up`; it starts the gateway without a service.',
    exit: errorCatalogue.not_found.exit,
  })
}
