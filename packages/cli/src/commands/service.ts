/** `countersign service`: the gateway as a service of this user. What it writes and runs is a list that `--dry-run` prints. */
import { existsSync } from 'node:fs'
import { userInfo } from 'node:os'
import { errorCatalogue } from '@countersign/contract'
import type { Context, Handler } from '../context.ts'
import { lastLines } from '../gateway-process.ts'
import { type Lease, liveLeases } from '../leases.ts'
import { type Answer, done, failed } from '../output/answer.ts'
import { columns } from '../output/columns.ts'
import { line } from '../output/safe.ts'
import { serviceState, silenceOf } from '../service/answers.ts'
import { type ServicePlace, servicePlace } from '../service/place.ts'
import { installSteps, uninstallSteps, type Verb, verbSteps } from '../service/plan.ts'
import { isPassing, ownProgram } from '../service/shim.ts'
import { carryOut, commandLine, type Step, stepText } from '../service/step.ts'

const startMs = 20_000
const lookMs = 100
const logLines = 20

export const install: Handler = async (context, _args, options) => {
  const place = await placeOf(context)
  if (place === undefined) return noManager(context)
  const program = ownProgram()
  if (isPassing(program))
    return failed({
      type: 'conflict',
      message: `This copy of the program is a passing one: ${program}.`,
      next: 'Install it with `npm install -g countersign`, then run `countersign service install`.',
      exit: errorCatalogue.conflict.exit,
    })
  const steps = installSteps(place, { node: process.execPath, program })
  if (options['dryRun'] === true) return planned(steps)
  const refusal = await obstacle(context, place, steps)
  if (refusal) return refusal
  const next = nextCommands(place)
  return done({ system: place.system, name: place.name, file: place.file, shim: place.shim, next }, () =>
    [
      columns([
        ['Installed', place.name],
        ['File', place.file],
        ['Shim', `${place.shim}  finds Node and the program at each start`],
        ['Log', place.log],
      ]),
      ...secretWords(context, place),
      '',
      'Next',
      ...next.map(({ command, why }) => `  ${command}  # ${why}`),
    ].join('\n'),
  )
}

export const uninstall: Handler = async (context, _args, options) => {
  const place = await placeOf(context)
  if (place === undefined) return noManager(context)
  const steps = uninstallSteps(place)
  if (options['dryRun'] === true) return planned(steps)
  const removed = [place.file, place.shim].filter((path) => existsSync(path))
  if (removed.length === 0) return done({ removed }, 'The service is not installed. Nothing was removed.')
  await carryOut(steps, context.host.runProgram)
  return done({ removed }, `Removed ${removed.join(' and ')}. The data stays.`)
}

const turn =
  (verb: Verb): Handler =>
  async (context, _args, options) => {
    const place = await placeOf(context)
    if (place === undefined) return noManager(context)
    if (!existsSync(place.file)) return notInstalled(place)
    const steps = verbSteps(verb, place)
    if (options['dryRun'] === true) return planned(steps)
    const before = liveLeases(await context.paths())
    if (verb === 'start') {
      const taken = await takenBy(context, place, before)
      if (taken) return taken
    }
    const refusal = await obstacle(context, place, steps)
    if (refusal) return refusal
    if (verb === 'stop')
      return done({ stopped: true }, `Stopped ${place.name}. It starts again at the next login.`)
    return begun(context, place, verb === 'restart' ? before.map(({ pid }) => pid) : [])
  }

export const start = turn('start')
export const stop = turn('stop')
export const restart = turn('restart')

export const status: Handler = async (context) => {
  const place = await placeOf(context)
  if (place === undefined) return noManager(context)
  const [gateway] = liveLeases(await context.paths())
  const installed = existsSync(place.file)
  const silence = installed ? await silenceOf(place, context.host.runProgram) : undefined
  const state =
    installed && silence === undefined ? await serviceState(place, context.host.runProgram) : undefined
  const data = {
    system: place.system,
    name: place.name,
    file: place.file,
    installed,
    enabled: state?.enabled ?? null,
    active: state?.active ?? null,
    pid: state?.pid ?? null,
    problem: silence ?? null,
    gateway: gateway ?? null,
  }
  return done(data, () =>
    columns([
      ['Service', installed ? place.name : 'not installed; `countersign service install` does it'],
      ...(installed ? [['File', place.file]] : []),
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

export async function placeOf(context: Context): Promise<ServicePlace | undefined> {
  const { platform, environment } = context.host
  return servicePlace({ platform, environment, paths: await context.paths(), user: userInfo().uid })
}

/** Exactly what would happen, files whole. */
export function planned(steps: readonly Step[]): Answer {
  return done({ dryRun: true, steps }, () =>
    [...steps.map(stepText), '', 'Nothing was done. Leave --dry-run out to do it.'].join('\n'),
  )
}

/** Asks before anything is written whether the manager is there, then does the steps. */
async function obstacle(
  context: Context,
  place: ServicePlace,
  steps: readonly Step[],
): Promise<Answer | undefined> {
  const { runProgram } = context.host
  const silence = await silenceOf(place, runProgram)
  if (silence !== undefined)
    return failed({
      type: 'not_found',
      message: `There is no ${place.system} for your user here. ${line(silence)}.`,
      next: 'Run `countersign up`; it starts the gateway without a service. Over SSH or in a container a service manager for users is often missing.',
      exit: errorCatalogue.not_found.exit,
      details: { system: place.system },
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
  place: ServicePlace,
  leases: readonly Lease[],
): Promise<Answer | undefined> {
  const [held] = leases
  if (held === undefined) return undefined
  if ((await serviceState(place, context.host.runProgram)).active)
    return done({ url: held.url, pid: held.pid, already: true }, `Already running: ${line(held.url)}`)
  return failed({
    type: 'conflict',
    message: `A gateway that is not the service is running (pid ${held.pid}).`,
    next: 'Run `countersign down`, then `countersign service start`.',
    exit: errorCatalogue.conflict.exit,
    details: { pid: held.pid },
  })
}

async function begun(context: Context, place: ServicePlace, old: readonly number[]): Promise<Answer> {
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
  const tail = lastLines(place.log, logLines)
  if (!flags.json) for (const entry of tail) host.errors.write(`  ${line(entry)}\n`)
  return failed({
    type: 'timeout',
    message: `The service was started, and no gateway is there after ${Math.round(limit / 1_000)} s.`,
    next: `Read ${place.log}, or run \`countersign doctor\`.`,
    exit: errorCatalogue.timeout.exit,
    details: { log: place.log, tail },
  })
}

function nextCommands(place: ServicePlace): { readonly command: string; readonly why: string }[] {
  const begin = { command: 'countersign service start', why: 'start it now' }
  return place.system === 'systemd'
    ? [begin, { command: 'loginctl enable-linger', why: 'let it run while you are not logged in' }]
    : [begin]
}

function secretWords(context: Context, place: ServicePlace): string[] {
  const names = context.host.environment.secretSettings
  if (names.length === 0) return []
  const way =
    place.system === 'systemd'
      ? `Put them into ${place.secretsFile} with mode 600, one NAME=value a line.`
      : 'launchd has no private place for them; use the settings file or `countersign provider add`.'
  return ['', `Not copied, because they hold secrets: ${names.join(', ')}. ${way}`]
}

function notInstalled(place: ServicePlace): Answer {
  return failed({
    type: 'not_found',
    message: `The service is not installed: there is no ${place.file}.`,
    next: 'Install it with `countersign service install`, or run `countersign up` without a service.',
    exit: errorCatalogue.not_found.exit,
  })
}

function noManager({ host }: Context): Answer {
  return failed({
    type: 'not_found',
    message: `Services on ${host.platform} are not supported; systemd and launchd are.`,
    next: 'Run `countersign up`; it starts the gateway without a service.',
    exit: errorCatalogue.not_found.exit,
  })
}
