/** Owns a whole Countersign for a test: a home of its own, a scripted model, and a gateway in a process that can be killed. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import {
  type ApprovalDetail,
  ApprovalSubject,
  type ApprovalView,
  type DecideApproval,
  type RunDetail,
  sealText,
} from '@countersign/contract'
import {
  type Client,
  type Connection,
  connect,
  createClient,
  type Signer,
} from '@countersign/contract/client'
import {
  establishHost,
  fileSigner,
  type HomePaths,
  type HostIdentity,
  homePaths,
  sha256Hex,
  signText,
} from '@countersign/contract/node'
import { type ModelServer, type Script, startModelServer } from '@countersign/model-servers'
import { fastRates } from './fast-rates.ts'

export interface InstallationOptions {
  readonly script: Script
  /** What the model reads in the operator's words; left out, that they ask for nothing. */
  readonly wishes?: Script
  readonly environment?: Readonly<Record<string, string>>
  readonly home?: string
  /** Arguments for Node itself, before the gateway's file. */
  readonly nodeArguments?: readonly string[]
  /** The file of the gateway of a packed product, instead of our sources. */
  readonly gatewayMain?: string
  /** Its time can be set ahead with `pass`. */
  readonly passing?: boolean
}

/** A gateway process. Several may share one installation. */
export interface GatewayProcess {
  readonly pid: number
  readonly url: string
  readonly client: Client
  /** Ends it the hard way and waits until it is gone. */
  kill(): Promise<void>
  /** Ends it the polite way. */
  stop(): Promise<void>
  log(): string
}

/** A gateway process from its first moment, when it does not answer yet. */
export interface LaunchedGateway {
  readonly pid: number
  /** Rejects when the process ends before it is ready. */
  readonly ready: Promise<GatewayProcess>
  kill(): Promise<void>
}

/** How another process of the same host reaches the embedded database. */
export interface DatabaseConnection {
  readonly host: string
  readonly port: number
  readonly user: string
  readonly database: string
  readonly password: string
}

export interface Installation {
  readonly home: string
  readonly paths: HomePaths
  readonly identity: HostIdentity
  readonly signer: Signer
  readonly model: ModelServer
  /** At any free port unless one is named, as that of a gateway that was there before. */
  start(environment?: Readonly<Record<string, string>>, port?: number): Promise<GatewayProcess>
  launch(environment?: Readonly<Record<string, string>>, port?: number): LaunchedGateway
  /** Lets time pass for the gateway and for whoever signs here, in an installation that was opened so. */
  pass(ms: number): void
  now(): Date
  databasePid(): number | undefined
  /** Throws while no database runs. */
  databaseConnection(): DatabaseConnection
  /** Ends everything that this installation started and removes it. */
  close(): Promise<void>
}

const clockModule = new URL('./shifted-clock.ts', import.meta.url).href
const sourceMain = fileURLToPath(import.meta.resolve('@countersign/gateway/main'))

export async function openInstallation(options: InstallationOptions): Promise<Installation> {
  const home = options.home ?? mkdtempSync(join(tmpdir(), 'countersign-test-'))
  const paths = homePaths({ COUNTERSIGN_HOME: home }, process.platform)
  const identity = establishHost(paths, hostname(), new Date())
  const clockFile = join(home, 'clock')
  let aheadMs = 0
  const now = () => new Date(Date.now() + aheadMs)
  const pass = (ms: number) => {
    aheadMs += ms
    writeFileSync(clockFile, String(aheadMs))
  }
  if (options.passing) pass(0)
  const clock = options.passing ? ['--import', `${clockModule}?file=${encodeURIComponent(clockFile)}`] : []
  const signer = { ...fileSigner(identity), now }
  const model = await startModelServer({
    script: options.script,
    ...(options.wishes ? { wishes: options.wishes } : {}),
  })
  const children = new Set<ChildProcess>()

  function launch(environment: Readonly<Record<string, string>> = {}, port = 0): LaunchedGateway {
    const child = spawn(
      process.execPath,
      [...clock, ...(options.nodeArguments ?? []), options.gatewayMain ?? sourceMain, '--port', String(port)],
      {
        env: {
          PATH: process.env['PATH'],
          COUNTERSIGN_HOME: home,
          COUNTERSIGN_MODEL: 'scripted',
          COUNTERSIGN_MODEL_URL: `${model.url}/v1`,
          COUNTERSIGN_MODEL_KEY: 'sk-test-0123456789abcdef',
          COUNTERSIGN_VAULT_KEY: 'file',
          COUNTERSIGN_TOOLS:
            'codeExecution,cliTools,codingAgents,program:jq,webFetch,weather,email,git,browser,pdf,image,audio,translation,dataExtraction,vectorSearch',
          COUNTERSIGN_RATES: fastRates,
          // Half of a start is the reading of our own source text; a start with other arguments may read another text.
          ...(options.nodeArguments
            ? {}
            : { NODE_COMPILE_CACHE: join(tmpdir(), 'countersign-compile-cache') }),
          ...options.environment,
          ...environment,
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    )
    const pid = child.pid ?? 0
    // A process that was killed leaves its lease, and its number may come again.
    rmSync(leaseOf(paths, pid), { force: true })
    children.add(child)
    let log = ''
    for (const output of [child.stdout, child.stderr])
      output.on('data', (chunk: Buffer) => {
        log += chunk.toString()
      })
    const kill = () => end(child, 'SIGKILL', children)
    const ready = urlOf(child, leaseOf(paths, pid), () => log).then(
      (url): GatewayProcess => ({
        pid,
        url,
        client: createClient({ url, signer }),
        log: () => log,
        kill,
        stop: () => end(child, 'SIGTERM', children),
      }),
    )
    // Whoever kills it before it is ready need not wait for it.
    ready.catch(() => undefined)
    return { pid, ready, kill }
  }

  return {
    home,
    paths,
    identity,
    signer,
    model,
    start: (environment, port) => launch(environment, port).ready,
    launch,
    pass,
    now,
    databasePid: () => runningDatabase(paths)?.pid,
    databaseConnection() {
      const running = runningDatabase(paths)
      if (!running) throw new Error('The database does not run.')
      return running.connection
    },
    async close() {
      for (const child of children) await end(child, 'SIGTERM', children)
      await model.close()
      const left = runningDatabase(paths)?.pid
      if (left !== undefined) {
        process.kill(left, 'SIGINT')
        for (let waited = 0; waited < 5_000 && isAlive(left); waited += 50) await sleep(50)
      }
      rmSync(home, { recursive: true, force: true })
      rmSync(systemFolder(paths), { recursive: true, force: true })
    },
  }
}

async function end(
  child: ChildProcess,
  signal: 'SIGKILL' | 'SIGTERM',
  children: Set<ChildProcess>,
): Promise<void> {
  if (!hasEnded(child)) {
    const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
    child.kill(signal)
    await gone
  }
  children.delete(child)
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}

async function urlOf(child: ChildProcess, lease: string, log: () => string): Promise<string> {
  for (let waited = 0; waited < 60_000; waited += 10) {
    if (hasEnded(child))
      throw new Error(`The gateway ended with ${child.exitCode ?? child.signalCode}:\n${log()}`)
    const url = urlIn(lease)
    if (url !== undefined) return url
    await sleep(10)
  }
  throw new Error(`The gateway did not become ready:\n${log()}`)
}

function leaseOf(paths: HomePaths, pid: number): string {
  return join(paths.lease, `${pid}.json`)
}

function urlIn(lease: string): string | undefined {
  try {
    return (JSON.parse(readFileSync(lease, 'utf8')) as { url: string }).url
  } catch {
    return undefined
  }
}

/** Under root the launcher may keep the data elsewhere; the folder is named after the home. */
function systemFolder(paths: HomePaths): string {
  return join('/var/lib/countersign', sha256Hex(paths.database).slice(0, 16))
}

function runningDatabase(
  paths: HomePaths,
): { readonly pid: number; readonly connection: DatabaseConnection } | undefined {
  for (const base of [paths.database, systemFolder(paths)]) {
    const instance = join(base, 'instance')
    try {
      const [pid, , , port, socketFolder] = readFileSync(
        join(instance, 'cluster', 'postmaster.pid'),
        'utf8',
      ).split('\n')
      if (!isAlive(Number(pid))) continue
      return {
        pid: Number(pid),
        connection: {
          host: socketFolder ?? '',
          port: Number(port),
          user: 'countersign',
          database: 'countersign',
          password: readFileSync(join(instance, 'password'), 'utf8').trim(),
        },
      }
    } catch {
      continue
    }
  }
  return undefined
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** Approves as the operator's own device would: recomputes the digest and seals it. */
export function approvalFor(
  installation: Pick<Installation, 'identity' | 'now'>,
  detail: ApprovalDetail,
): DecideApproval {
  const digest = sha256Hex(`countersign/approval/v2\0${detail.subject}`)
  const { tier } = ApprovalSubject.parse(JSON.parse(detail.subject))
  if (tier < 3) return { verdict: 'approve', digest }
  const { id, keys } = installation.identity.device
  const decidedAt = installation.now().toISOString()
  const signature = signText(keys.privateKey, sealText(digest, id, decidedAt))
  return { verdict: 'approve', digest, seal: { by: 'device', device: id, decidedAt, signature } }
}

export async function approve(
  installation: Pick<Installation, 'identity' | 'now'>,
  client: Client,
  ref: string,
): Promise<ApprovalView> {
  const decided = await client.decide(ref, approvalFor(installation, await client.approval(ref)))
  return decided.approval
}

/** Waits until the run has ended or parked, and returns it. */
export async function settledRun(
  client: Client,
  id: string,
  wanted: 'stopped' | 'parked' | 'either' = 'stopped',
  timeoutMs = 50_000,
): Promise<RunDetail> {
  const until = Date.now() + timeoutMs
  for (;;) {
    const detail = await client.run(id)
    const { state, parkedOn } = detail.run
    // While a reader reads for it, nobody is waited for.
    const isAtWork = state === 'running' || (state === 'parked' && parkedOn === 'reader')
    if (state === wanted || (wanted === 'either' && !isAtWork)) return detail
    if (Date.now() > until) throw new Error(`${id} is still ${state}: ${JSON.stringify(detail)}`)
    await sleep(25)
  }
}

export { type Connection, connect }
