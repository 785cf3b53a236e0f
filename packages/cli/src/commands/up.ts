/** `countersign up`: makes the keys of this host on first use, then starts the gateway and waits until it answers. */
import { hostname } from 'node:os'
import { resolve } from 'node:path'
import { CountersignError, errorCatalogue, forDisplay } from '@countersign/contract'
import { createClient } from '@countersign/contract/client'
import {
  establishHost,
  fileSigner,
  type HomePaths,
  type HostIdentity,
  nodeTransport,
  rememberedPort,
  usualPort,
} from '@countersign/contract/node'
import type { Context, Handler, OptionValues } from '../context.ts'
import { configuredPort, isFree } from '../doctor/settings.ts'
import { gatewayEnvironment } from '../environment.ts'
import {
  gatewayLog,
  gatewayProgram,
  lastLines,
  runAttached,
  type StartedGateway,
  startDetached,
  startMs,
} from '../gateway-process.ts'
import { type Lease, liveLeases } from '../leases.ts'
import { type CommandAnswer, done, ended, failed } from '../output/answer.ts'
import { columns } from '../output/columns.ts'
import { usage } from '../output/failure.ts'

const lookMs = 50
const logLines = 5

export const up: Handler = async (context, _args, options) => {
  const args = gatewayArguments(options)
  if (args === undefined) return usage(`--port ${String(options.port)} is not a port number.`, 'up')
  if (options.foreground === true && context.flags.json)
    return usage('--foreground shows the log and has no JSON output.', 'up')
  const paths = await context.paths()
  const identity = establishHost(paths, hostname(), context.host.clock())
  const place = { workspace: workspaceOf(options) ?? paths.workspace, log: gatewayLog(paths.logs) }
  const running = await answering(paths, identity)
  if (running) return report(running, place, true)
  const wanted = await wantedPort(context, paths, options)
  if (wanted.named && wanted.port !== 0 && !(await isFree(wanted.port))) return portTaken(wanted.port)
  const program = gatewayProgram()
  if (options.foreground === true) return ended(await runAttached(program, args))
  const environment = gatewayEnvironment(context.host.environment.cache)
  const started = await startDetached(program, args, place.log, environment)
  const outcome = await becomeHealthy(context, paths, identity, started)
  switch (outcome.kind) {
    case 'healthy':
      tellPort(context, wanted.port, outcome.lease)
      return report(outcome.lease, place, false)
    case 'exited':
      return notStarted(
        context,
        place.log,
        `The gateway stopped ${outcome.how} before it was ready.`,
        1,
        'internal',
      )
    case 'slow':
      return notStarted(
        context,
        place.log,
        `The gateway (pid ${started.pid}) did not respond within ${Math.round(outcome.afterMs / 1_000)} s. It may still be starting.`,
        7,
        'timeout',
      )
  }
}

type StartOutcome =
  | { readonly kind: 'healthy'; readonly lease: Lease }
  | { readonly kind: 'exited'; readonly how: string }
  | { readonly kind: 'slow'; readonly afterMs: number }

async function becomeHealthy(
  context: Context,
  paths: HomePaths,
  identity: HostIdentity,
  started: StartedGateway,
): Promise<StartOutcome> {
  const { host, flags } = context
  const limit = flags.waitMs ?? startMs
  const began = host.clock().getTime()
  let exited: string | undefined
  started.ended.then(
    (how) => {
      exited = how
    },
    () => undefined,
  )
  context.working('Starting the gateway and its database', 'Ctrl+C stops waiting')
  for (;;) {
    const lease = await answering(paths, identity)
    if (lease) return { kind: 'healthy', lease }
    if (exited !== undefined) return { kind: 'exited', how: exited }
    const passed = host.clock().getTime() - began
    if (passed >= limit) return { kind: 'slow', afterMs: passed }
    await host.wait(lookMs)
  }
}

/** The lease of a gateway that says it is well. */
async function answering(paths: HomePaths, identity: HostIdentity): Promise<Lease | undefined> {
  for (const lease of liveLeases(paths)) {
    try {
      const health = await createClient({
        url: lease.url,
        signer: fileSigner(identity),
        timeoutMs: 2_000,
        fetch: nodeTransport,
      }).health()
      if (health.ok) return lease
    } catch (error) {
      // A gateway that starts or ends answers late, or with a failure; it is asked again.
      if (!(error instanceof CountersignError)) throw error
    }
  }
  return undefined
}

interface WantedPort {
  readonly port: number
  /** Somebody asked for exactly this one. */
  readonly named: boolean
}

async function wantedPort(context: Context, paths: HomePaths, options: OptionValues): Promise<WantedPort> {
  const given = options.port ?? context.host.environment.settings['COUNTERSIGN_PORT']
  const named = given === undefined ? configuredPort(paths) : Number(given)
  return { port: named ?? rememberedPort(paths) ?? usualPort, named: named !== undefined }
}

function portTaken(port: number): CommandAnswer {
  return failed({
    type: 'config_invalid',
    message: `Port ${port} is in use by another program. Nothing was started.`,
    next: 'Name another port with --port; `--port 0` takes any free one.',
    exit: errorCatalogue.config_invalid.exit,
    details: { port },
  })
}

/** Nobody should look for it at the usual place. */
function tellPort(context: Context, wanted: number, { url }: Lease): void {
  const port = Number(new URL(url).port)
  if (wanted !== 0 && port !== wanted)
    context.note(`Port ${wanted} is in use by another program, so Countersign uses ${port} from now on.`)
}

function report(lease: Lease, place: { workspace: string; log: string }, already: boolean): CommandAnswer {
  const { url, pid } = lease
  const text = columns([
    [already ? 'Already running' : 'Running', url],
    ['Process', String(pid)],
    ['Workspace', place.workspace],
    ['Log', place.log],
  ])
  return done({ url, pid, ...place, already }, text)
}

function notStarted(
  context: Context,
  log: string,
  message: string,
  exit: number,
  type: 'internal' | 'timeout',
): CommandAnswer {
  const tail = lastLines(log, logLines)
  if (!context.flags.json)
    for (const entry of tail) context.host.errors.write(`  ${forDisplay(withoutTime(entry)).text}\n`)
  const next = `Read ${log}, fix the cause, then run \`countersign up\` again. \`countersign doctor\` may find it.`
  return failed({ type, message, next, exit, details: { log, tail } })
}

/** The log is for machines; a person knows when this was. */
function withoutTime(entry: string): string {
  return entry.replace(/^\d{4}-\d\d-\d\dT[\d:.]+Z /, '').replace(/^CountersignError: /, '')
}

function gatewayArguments(options: OptionValues): string[] | undefined {
  const { port } = options
  if (port !== undefined && !(/^\d{1,5}$/.test(String(port)) && Number(port) <= 65_535)) return undefined
  const workspace = workspaceOf(options)
  return [
    ...(port === undefined ? [] : ['--port', String(port)]),
    ...(workspace === undefined ? [] : ['--workspace', workspace]),
  ]
}

function workspaceOf(options: OptionValues): string | undefined {
  return typeof options.workspace === 'string' ? resolve(options.workspace) : undefined
}
