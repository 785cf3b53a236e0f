/**
 * Owns the processes and conversations of servers: each is started when it is asked, used again while it is as it was let
 * in, and stopped when nobody asks, when its entry changes, and with the executor. Refuses one more than may run at once.
 */
import { type InstalledExtensions, type InstalledServer, kindOf } from '@countersign/contract'
import { sha256Hex } from '@countersign/contract/node'
import { launchPlaces, serverNamed } from '@countersign/tools'
import type { Egress } from '../egress/egress.ts'
import type { AccessTokens } from '../oauth/access-tokens.ts'
import type { Sandbox } from '../sandbox/port.ts'
import { keptBearer, type ServerBearer, type ServerSecrets, signedInBearer } from './server-bearer.ts'
import type { ServerConnection, ServerWaits } from './server-connection.ts'
import { serverLimits } from './server-limits.ts'
import { createServerQuestions, type ServerQuestions } from './server-questions.ts'
import { type ServerPlaces, serverCommand } from './server-sandbox.ts'
import { type BoundedTransport, streamTransport } from './stream-transport.ts'

export interface RunningServers {
  /** Starts it when it does not run as it is now. Rejects with words for a person. */
  using<T>(
    server: InstalledServer,
    secrets: ServerUse,
    work: (connection: ServerConnection) => Promise<T>,
  ): Promise<T>
  /** Stops each that is no longer there, is paused, or is started in another way. Resolves when they are gone. */
  keepOnly(installed: InstalledExtensions): Promise<void>
  count(): number
  close(): Promise<void>
}

/** `asks`: whether the operator can be asked for the server; it is told so when it is started. */
export type ServerUse = ServerSecrets & { readonly asks?: boolean }

export interface RunningParts extends ServerPlaces {
  readonly sandbox: Sandbox | undefined
  readonly egress: Egress
  /** For servers that are signed in to. */
  readonly tokens?: AccessTokens | undefined
  readonly now: () => Date
  readonly idleMs?: number
  readonly waits?: ServerWaits
}

interface RunningServer {
  readonly name: string
  /** Over how it is started, with which secrets. */
  readonly key: string
  readonly connection: Promise<ServerConnection>
  readonly access: ServerAccess
  readonly mayAsk: boolean
  /** How many calls need it now. */
  uses: number
  stop(): Promise<void>
  touch(): void
}

/** What the newest call brought along. */
interface ServerAccess {
  secrets: ServerSecrets
}

interface ServerLife {
  readonly stop: AbortSignal
  /** Resolves when its last process is gone. */
  over: Promise<unknown>
}

interface Pool {
  readonly parts: RunningParts
  readonly running: Map<string, RunningServer>
  readonly turns: Map<string, Promise<void>>
}

export function createRunningServers(parts: RunningParts): RunningServers {
  const pool: Pool = { parts, running: new Map(), turns: new Map() }
  const { running } = pool
  return {
    count: () => running.size,
    async using(server, secrets, work) {
      const one = await reach(pool, server, secrets)
      try {
        return await work(await one.connection)
      } finally {
        one.uses -= 1
        if (running.get(server.name) === one) one.touch()
      }
    },
    async keepOnly(installed) {
      const other = [...running.values()].filter(({ name, key }) => !isAsKept(installed, name, key))
      await Promise.all(other.map(({ name }) => drop(pool, name)))
    },
    async close() {
      await Promise.all([...running.keys()].map((name) => drop(pool, name)))
    },
  }
}

function isAsKept(installed: InstalledExtensions, name: string, key: string): boolean {
  const server = serverNamed(installed, name)
  return server !== undefined && !server.paused && key.startsWith(server.launchHash)
}

async function drop({ running }: Pool, name: string): Promise<void> {
  const one = running.get(name)
  running.delete(name)
  await one?.stop()
}

/** One after another for each server: two that ask at once are given the same process. */
function reach(pool: Pool, server: InstalledServer, secrets: ServerUse): Promise<RunningServer> {
  const { turns } = pool
  const before = turns.get(server.name) ?? Promise.resolve()
  const reached = before.then(() => reachNow(pool, server, secrets))
  const turn = reached.then(
    () => undefined,
    () => undefined,
  )
  turns.set(server.name, turn)
  void turn.then(() => turns.get(server.name) === turn && turns.delete(server.name))
  return reached
}

async function reachNow(pool: Pool, server: InstalledServer, use: ServerUse): Promise<RunningServer> {
  const { asks = false, ...secrets } = use
  const { running } = pool
  const { name, launchHash } = server
  const values = secretValues(server, secrets.secrets)
  const key = `${launchHash}:${sha256Hex(JSON.stringify(values))}`
  const known = running.get(name)
  // One that was started to be looked at is started anew where it may ask, unless somebody else needs it.
  if (known?.key === key && (known.mayAsk || !asks || known.uses > 0)) {
    const connection = await known.connection.catch(() => undefined)
    if (connection?.isOpen()) {
      known.access.secrets = secrets
      known.uses += 1
      return known
    }
  }
  await drop(pool, name)
  await makeRoom(pool)
  // It may have been removed meanwhile, and nobody would stop it.
  if (!isAsKept(pool.parts.extensions.current(), name, key))
    throw new Error(`The ${kindOf(server)} ${name} is not there as it was.`)
  const access = { secrets }
  const questions = asks ? createServerQuestions({ ...serverLimits, ...pool.parts.waits }) : undefined
  const one = begun(
    pool,
    { name, key, mayAsk: asks },
    start(pool.parts, server, { values, access, questions }),
  )
  running.set(name, one)
  try {
    await one.connection
    return one
  } catch (error) {
    if (running.get(name) === one) await drop(pool, name)
    throw error
  }
}

/** With the clock that stops it when nobody asks. */
function begun(
  pool: Pool,
  { name, key, mayAsk }: Pick<RunningServer, 'name' | 'key' | 'mayAsk'>,
  started: Pick<RunningServer, 'connection' | 'access' | 'stop'>,
): RunningServer {
  const { idleMs = serverLimits.idleMs } = pool.parts
  let timer: NodeJS.Timeout | undefined
  const one: RunningServer = {
    name,
    key,
    connection: started.connection,
    access: started.access,
    mayAsk,
    uses: 1,
    async stop() {
      clearTimeout(timer)
      await started.stop()
    },
    touch() {
      clearTimeout(timer)
      timer = setTimeout(() => {
        if (one.uses === 0 && pool.running.get(name) === one) void drop(pool, name)
      }, idleMs)
      timer.unref()
    },
  }
  return one
}

/** The one that was asked longest ago and does nothing goes first. */
async function makeRoom(pool: Pool): Promise<void> {
  const { running } = pool
  for (const { name, uses } of running.values()) {
    if (running.size < serverLimits.mostRunning) return
    if (uses === 0) await drop(pool, name)
  }
  if (running.size >= serverLimits.mostRunning)
    throw new Error(`${serverLimits.mostRunning} servers are at work already. Try again when one has ended.`)
}

interface Given {
  readonly values: Readonly<Record<string, string>>
  readonly access: ServerAccess
  readonly questions: ServerQuestions | undefined
}

function start(
  parts: RunningParts,
  server: InstalledServer,
  given: Given,
): Pick<RunningServer, 'connection' | 'access' | 'stop'> {
  const stop = new AbortController()
  const life: ServerLife = { stop: stop.signal, over: Promise.resolve() }
  const connection = connect(parts, server, given, life)
  return {
    connection,
    access: given.access,
    async stop() {
      stop.abort()
      const open = await connection.catch(() => undefined)
      await open?.close()
      await life.over
    },
  }
}

async function connect(
  parts: RunningParts,
  server: InstalledServer,
  given: Given,
  life: ServerLife,
): Promise<ServerConnection> {
  const { name, launch } = server
  const { stop } = life
  const { sandbox } = parts
  const { questions } = given
  const connectionParts = { now: () => parts.now().getTime(), waits: parts.waits, questions }
  // Read when the first server is asked: most starts of an executor see none.
  const { connectServer } = await import('./server-connection.ts')
  if (launch.kind === 'http') {
    const { egressTransport } = await import('./egress-transport.ts')
    const transport = egressTransport(
      {
        url: launch.url,
        bearer: bearerOf(parts, server, given),
        ...(questions ? { isPatient: questions.isWaiting } : {}),
      },
      parts.egress,
      stop,
    )
    return connectServer(transport, stop, connectionParts)
  }
  if (!sandbox)
    throw new Error(`A ${kindOf(server)} that is a program needs a sandbox, and there is none here.`)
  const ready = Promise.withResolvers<BoundedTransport>()
  ready.promise.catch(() => undefined)
  const command = await serverCommand(
    {
      name,
      launch,
      secrets: given.values,
      signal: stop,
      talk: (streams) => new Promise((ended) => ready.resolve(streamTransport(streams, ended))),
    },
    parts,
  )
  let complaint = ''
  life.over = sandbox.run(command, stop).then(
    ({ stderr }) => {
      complaint = stderr
      ready.reject(new Error('It ended before it was asked.'))
    },
    (error: unknown) => ready.reject(error),
  )
  const transport = await ready.promise
  try {
    return await connectServer(transport, stop, connectionParts)
  } catch (error) {
    await transport.close()
    await life.over
    const words = complaint.trim().slice(-500).toWellFormed()
    const why = error instanceof Error ? error.message : String(error)
    throw new Error(words === '' ? why : `${why} It complained: ${words}`)
  }
}

function bearerOf(
  { tokens }: RunningParts,
  server: InstalledServer,
  { values, access }: Given,
): ServerBearer | undefined {
  const { launch } = server
  const oauth = launch.kind === 'http' ? launch.oauth : undefined
  if (oauth) return signedInBearer({ server, oauth, tokens, grants: () => access.secrets.grants })
  return values['bearer'] === undefined ? undefined : keptBearer(values['bearer'])
}

/** By the variable; of a server elsewhere, the bearer token. Rejects when one is not for every place that it may go to. */
function secretValues(
  { name, launch }: InstalledServer,
  secrets: ServerSecrets['secrets'],
): Record<string, string> {
  const wanted: readonly (readonly [string, string])[] =
    launch.kind === 'http'
      ? launch.secret === null
        ? []
        : [['bearer', launch.secret]]
      : Object.entries(launch.secrets)
  return Object.fromEntries(
    wanted.map(([variable, secret]) => {
      const values = launchPlaces(launch).map((place) => secrets.value(secret, place))
      const [value] = values
      if (value === undefined || values.includes(undefined))
        throw new Error(
          `There is no secret ${secret} for the ${kindOf({ launch })} ${name}. Set it with \`countersign secret set ${secret}\`.`,
        )
      return [variable, value]
    }),
  )
}
