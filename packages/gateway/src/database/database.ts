/**
 * Starts the embedded PostgreSQL of one home directory, or adopts the one that an earlier gateway left running.
 * Owns nothing but the server: schemas, pools and the decision to stop belong to the caller.
 *
 * - Files: `cluster-paths.ts` says where they live, also under root; `cluster.ts` how they are made.
 * - kill -9 of the gateway leaves the server alive. The next start finds it by postmaster.pid, checks that the process
 *   is a server of this data directory and that it proves knowledge of our password (SCRAM is mutual), and adopts it.
 * - kill -9 of the server leaves a stale postmaster.pid and perhaps busy backends. PostgreSQL judges the file itself;
 *   we retry while backends hold the shared memory, end them after a second, and remove the file only when its
 *   process id now belongs to something else.
 * - Two gateways on one home take turns by `start-lock.ts`; the second adopts what the first started.
 */
import type { ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { type Binaries, locatePackage, prepareBinaries } from './binaries.ts'
import {
  clusterNameOf,
  databaseName,
  ensureInstance,
  readPassword,
  roleName,
  serverArguments,
  socketPort,
  writeSettings,
} from './cluster.ts'
import { type ClusterPaths, chooseClusterPaths } from './cluster-paths.ts'
import { DatabaseError } from './database-error.ts'
import { codeOf } from './file.ts'
import {
  endOrphans,
  isAlive,
  isPostmasterOf,
  logSince,
  logSize,
  readPidFile,
  removePidFile,
  signalProcess,
  spawnPostmaster,
  stopPostmaster,
} from './postmaster.ts'
import { withStartLock } from './start-lock.ts'

export interface Connection {
  host: string
  port: number
  user: string
  database: string
  password?: string
}

export interface DatabaseAddress {
  /** A connection string for the role that owns the database and is no superuser. */
  url(role: 'owner'): string
  connection: Connection
}

export interface Database extends DatabaseAddress {
  /** True when the server was already running. */
  adopted: boolean
  pid: number
  /** Where the data is; not `dataDir` when root had to use the system directory. */
  directory: string
  logFile: string
  /** Ends the server for everybody who shares it. Resolves when the process is gone. */
  stop(): Promise<void>
}

export interface DatabaseOptions {
  /** Belongs to this module; made private, and made if missing. */
  dataDir: string
  /** Holds the socket in a private subdirectory. */
  runDir: string
  log: (line: string) => void
  systemDir?: string
  /** Root folder of the package with the programs; found by itself unless given. */
  packageDir?: string
}

const startMs = 60_000
const orphanGraceMs = 1_000
const unreachableMs = 1_000

export async function startDatabase(options: DatabaseOptions): Promise<Database> {
  const began = performance.now()
  const installed = options.packageDir ?? locatePackage(process.platform, process.arch)
  const paths = await chooseClusterPaths({ systemDir: '/var/lib/countersign', ...options })
  const logFile = join(paths.home, 'postgres.log')
  return withStartLock(join(paths.home, 'start.lock'), async () => {
    const binaries = await prepareBinaries(installed, paths.account, paths.copyDir)
    const created = await ensureInstance(paths, binaries)
    const server = await startOrAdopt({ paths, binaries, password: await readPassword(paths), logFile })
    const how = server.adopted ? 'adopted' : created ? 'created' : 'started'
    options.log(
      `database ${how} in ${Math.round(performance.now() - began)} ms: process ${server.pid}, data in ${paths.cluster}`,
    )
    return {
      url: () => urlOf(server.connection),
      connection: server.connection,
      adopted: server.adopted,
      pid: server.pid,
      directory: paths.cluster,
      logFile,
      stop: () => stopPostmaster(server.pid, paths.cluster),
    }
  })
}

interface Server {
  connection: Connection
  adopted: boolean
  pid: number
}

interface Start {
  paths: ClusterPaths
  binaries: Binaries
  password: string
  logFile: string
}

async function startOrAdopt(start: Start): Promise<Server> {
  const { paths, logFile } = start
  const deadline = Date.now() + startMs
  let logOffset = await logSize(logFile)
  let child: ChildProcess | undefined
  let sharedMemoryHeldSince: number | undefined
  let unreachableSince: number | undefined
  let lastProblem: unknown

  for (; Date.now() < deadline; await delay(5)) {
    const file = await readPidFile(paths.cluster)
    const pid = file?.pid
    if (file && pid !== undefined && (await isPostmasterOf(pid, paths.cluster))) {
      if (!file.ready) continue
      const connection = connectionTo(file.socketDir, start.password)
      const problem = await probe(connection)
      if (problem === undefined) return { connection, pid, adopted: pid !== child?.pid }
      lastProblem = problem
      unreachableSince ??= Date.now()
      // A cleaner of temporary files may have taken the socket away; only a restart brings it back.
      if (isSocketGone(problem) && Date.now() - unreachableSince > unreachableMs) {
        signalProcess(pid, 'SIGINT')
        unreachableSince = undefined
      }
      await delay(50)
      continue
    }
    if (child && child.exitCode === null && child.signalCode === null) continue
    if (child) {
      const output = await logSince(logFile, logOffset)
      if (!/shared memory block|lock file ".*" (already exists|is empty)/.test(output)) {
        throw notStarted(start, output)
      }
      sharedMemoryHeldSince ??= Date.now()
      if (Date.now() - sharedMemoryHeldSince > orphanGraceMs) await endOrphans(clusterNameOf(paths.cluster))
      await delay(100)
    }
    // PostgreSQL replaces the file of a dead process itself, but not one whose id was given to another process.
    if (file && (pid === undefined || isAlive(pid))) await removePidFile(paths.cluster)
    await writeSettings(paths.instance, paths.account, paths.socketDir)
    const spawned = await spawnPostmaster({
      account: paths.account,
      program: start.binaries.postgres,
      args: serverArguments(paths.instance),
      logFile,
    })
    child = spawned.child
    logOffset = spawned.logOffset
  }
  throw notStarted(start, await logSince(logFile, logOffset), lastProblem)
}

async function probe(connection: Connection): Promise<unknown> {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: 5_000 })
  // An error after the answer says nothing about the answer.
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.end()
    return undefined
  } catch (error) {
    // Wrong password: waiting does not help, and another try would only repeat it.
    if (codeOf(error) === '28P01') throw unreachable(connection, error)
    return error
  }
}

function isSocketGone(problem: unknown): boolean {
  return ['ENOENT', 'ECONNREFUSED'].includes(codeOf(problem) ?? '')
}

function connectionTo(socketDir: string, password: string): Connection {
  return { host: socketDir, port: socketPort, user: roleName, database: databaseName, password }
}

function urlOf(connection: Connection): string {
  const { host, port, user, database, password } = connection
  return `postgresql://${user}:${password}@localhost/${database}?host=${encodeURIComponent(host)}&port=${port}`
}

function notStarted(start: Start, output: string, cause?: unknown): DatabaseError {
  return new DatabaseError(
    'database_not_started',
    `PostgreSQL did not start on ${start.paths.cluster}: ${output || 'it gave no reason'}.`,
    `Read ${start.logFile}, fix the cause, then start again.`,
    cause,
  )
}

function unreachable(connection: Connection, cause: unknown): DatabaseError {
  return new DatabaseError(
    'database_unreachable',
    `The database behind ${connection.host} rejected the password.`,
    'Restore the password file that belongs to this data directory.',
    cause,
  )
}
