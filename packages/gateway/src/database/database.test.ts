import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { locatePackage, prepareBinaries } from './binaries.ts'
import { serverArguments } from './cluster.ts'
import { type Database, type DatabaseOptions, startDatabase } from './database.ts'
import { databaseFromUrl } from './external-database.ts'
import { isAlive } from './postmaster.ts'

const asRoot = process.getuid?.() === 0
const stranger = 65_534
const databaseModule = new URL('./database.ts', import.meta.url).href

let seed: string
let base: string
let options: DatabaseOptions
let started: Database[]
let children: ChildProcess[]

/** Open to the account that runs PostgreSQL when the tests run as root. */
function temporaryDirectory(): string {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'cs-')))
  chmodSync(path, 0o755)
  return path
}

beforeAll(async () => {
  seed = temporaryDirectory()
  const dataDir = join(seed, 'data')
  const database = await startDatabase({
    dataDir,
    runDir: join(seed, 'run'),
    systemDir: join(seed, 'system'),
    log: () => undefined,
  })
  await database.stop()
})

afterAll(() => rmSync(seed, { recursive: true, force: true }))

/** A database that was created and stopped earlier, which saves the second that creating one takes. */
function seedDatabase(dataDir = options.dataDir): void {
  expect(spawnSync('cp', ['-a', join(seed, 'data'), dataDir]).status).toBe(0)
}

beforeEach(() => {
  base = temporaryDirectory()
  options = {
    dataDir: join(base, 'data'),
    runDir: join(base, 'run'),
    systemDir: join(base, 'system'),
    log: () => undefined,
  }
  started = []
  children = []
})

afterEach(async () => {
  for (const child of children) child.kill('SIGKILL')
  for (const database of started) await database.stop()
  rmSync(base, { recursive: true, force: true })
})

async function start(changes: Partial<DatabaseOptions> = {}): Promise<Database> {
  const database = await startDatabase({ ...options, ...changes })
  started.push(database)
  return database
}

async function query<Row extends pg.QueryResultRow>(database: { url(role: 'owner'): string }, sql: string) {
  const client = new pg.Client({ connectionString: database.url('owner') })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return (await client.query<Row>(sql)).rows
  } finally {
    await client.end()
  }
}

/** A gateway in a process of its own, which starts the database and then lives until it is killed. */
async function startElsewhere(uid?: number, changes: Partial<DatabaseOptions> = {}) {
  const { log: _, ...plain } = { ...options, ...changes }
  const source = `
    import { startDatabase } from ${JSON.stringify(databaseModule)}
    const database = await startDatabase({ ...${JSON.stringify(plain)}, log: () => undefined })
    console.log(JSON.stringify({ pid: database.pid, adopted: database.adopted, url: database.url('owner') }))
    setInterval(() => undefined, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', source], {
    stdio: ['ignore', 'pipe', 'inherit'],
    cwd: '/',
    ...(uid === undefined ? {} : { uid, gid: uid }),
  })
  children.push(child)
  for await (const line of createInterface({ input: child.stdout })) {
    return { child, ...(JSON.parse(line) as { pid: number; adopted: boolean; url: string }) }
  }
  throw new Error('the other gateway ended before it had a database')
}

async function gone(pid: number): Promise<void> {
  for (let tries = 0; isAlive(pid) && tries < 500; tries++) await delay(10)
  expect(isAlive(pid)).toBe(false)
}

/** Backends outlive the server by a moment; /proc shows them by the name of their data directory's process title. */
function processesOf(database: Database): string[] {
  const settings = readFileSync(join(dirname(database.directory), 'postgresql.conf'), 'utf8')
  const name = /cluster_name = '(.+)'/.exec(settings)?.[1] ?? 'unknown'
  return spawnSync('ps', ['-axww', '-o', 'command='], { encoding: 'utf8' })
    .stdout.split('\n')
    .filter(
      (command) => command.includes(`postgres: ${name}: `) || command.includes(` -D ${database.directory} `),
    )
}

/** In single-user mode PostgreSQL wants a user with a name, so the cluster is lent to one. */
function editAsSuperuser(database: Database, sql: string): void {
  const { uid, gid } = statSync(database.directory)
  const named = Number(spawnSync('id', ['-u', 'nobody'], { encoding: 'utf8' }).stdout)
  const give = (owner: number) => spawnSync('chown', ['-R', String(owner), database.directory])
  if (asRoot) give(named)
  const edit = spawnSync(
    join(locatePackage(process.platform, process.arch), 'native', 'bin', 'postgres'),
    ['--single', ...serverArguments(dirname(database.directory)), '-c', 'exit_on_error=on', 'template1'],
    { input: `${sql}\n`, cwd: '/', ...(asRoot ? { uid: named, gid } : {}) },
  )
  if (asRoot) give(uid)
  expect(edit.status).toBe(0)
}

describe('the embedded database', () => {
  it('is created over the remains of a start that died half way, and stop leaves no process', async () => {
    mkdirSync(join(options.dataDir, 'instance.new', 'cluster'), { recursive: true, mode: 0o700 })
    writeFileSync(join(options.dataDir, 'instance.new', 'cluster', 'PG_VERSION'), '18\n')
    const first = await start()
    expect(readdirSync(options.dataDir).toSorted()).toEqual(['instance', 'postgres.log', 'start.lock'])
    expect(first.adopted).toBe(false)
    expect(processesOf(first).length).toBeGreaterThan(3)
    await query(first, 'CREATE TABLE note (body text)')
    await first.stop()
    await gone(first.pid)
    expect(processesOf(first)).toEqual([])

    const warm = await start()
    expect(warm.adopted).toBe(false)
    expect(await query(warm, 'SELECT * FROM note')).toEqual([])
  })

  it('gives a role that is bound by row security and may not make roles or databases', async () => {
    seedDatabase()
    const database = await start()
    expect(
      await query(
        database,
        `SELECT rolname, rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolreplication
           FROM pg_roles WHERE rolname = session_user`,
      ),
    ).toEqual([
      {
        rolname: 'countersign',
        rolsuper: false,
        rolbypassrls: false,
        rolcreaterole: false,
        rolcreatedb: false,
        rolreplication: false,
      },
    ])
    const superuser = new pg.Client({ ...database.connection, user: 'postgres' })
    await expect(superuser.connect()).rejects.toThrow(/no pg_hba.conf entry/)
    const guess = new pg.Client({ ...database.connection, password: 'guess' })
    await expect(guess.connect()).rejects.toThrow(/password authentication failed/)
    const neighbour = new pg.Client({ ...database.connection, database: 'template1' })
    await expect(neighbour.connect()).rejects.toThrow(/permission denied/)
  })

  it('keeps the durable settings on and listens on no network address', async () => {
    seedDatabase()
    const database = await start()
    expect(
      await query(
        database,
        `SELECT name, setting FROM pg_settings WHERE name IN
           ('fsync', 'synchronous_commit', 'full_page_writes', 'data_checksums', 'listen_addresses', 'server_encoding')
         ORDER BY name`,
      ),
    ).toEqual([
      { name: 'data_checksums', setting: 'on' },
      { name: 'fsync', setting: 'on' },
      { name: 'full_page_writes', setting: 'on' },
      { name: 'listen_addresses', setting: '' },
      { name: 'server_encoding', setting: 'UTF8' },
      { name: 'synchronous_commit', setting: 'on' },
    ])
  })

  it('is adopted after its gateway was killed', async () => {
    seedDatabase()
    const other = await startElsewhere()
    expect(other.adopted).toBe(false)
    other.child.kill('SIGKILL')
    await gone(other.child.pid ?? 0)
    const next = await start()
    expect(next).toMatchObject({ adopted: true, pid: other.pid })
    expect(next.url('owner')).toBe(other.url)
    expect(await query(next, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  })

  it('is adopted where it listens, also when the run directory changed meanwhile', async () => {
    seedDatabase()
    const first = await start()
    const next = await start({ runDir: join(base, 'elsewhere') })
    expect(next).toMatchObject({ adopted: true, pid: first.pid, connection: { host: first.connection.host } })
  })

  it('keeps every acknowledged row when the server is killed, even while a backend is busy', async () => {
    seedDatabase()
    const first = await start()
    await query(first, 'CREATE TABLE entry (id int PRIMARY KEY)')
    const acknowledged: number[] = []
    const writer = (async () => {
      const client = new pg.Client({ connectionString: first.url('owner') })
      client.on('error', () => undefined)
      await client.connect()
      for (let id = 1; ; id++) {
        await client.query('INSERT INTO entry VALUES ($1)', [id])
        acknowledged.push(id)
      }
    })().catch(() => 'cut off')
    const busy = query(first, 'SELECT count(*) FROM generate_series(1, 10000000000)').catch(() => 'cut off')
    while (acknowledged.length < 50) await delay(10)
    process.kill(first.pid, 'SIGKILL')
    await writer

    const next = await start()
    expect(next.adopted).toBe(false)
    expect(next.pid).not.toBe(first.pid)
    expect(await busy).toBe('cut off')
    const kept = new Set((await query<{ id: number }>(next, 'SELECT id FROM entry')).map(({ id }) => id))
    expect(acknowledged.filter((id) => !kept.has(id))).toEqual([])
  })

  it('starts again when the process id in the pid file was given to another process', async () => {
    seedDatabase()
    const first = await start()
    const pidFile = join(first.directory, 'postmaster.pid')
    const text = readFileSync(pidFile, 'utf8')
    await first.stop()
    const { uid, gid } = statSync(first.directory)
    const bystander = spawn('sleep', ['60'], asRoot ? { uid, gid } : {})
    children.push(bystander)
    writeFileSync(pidFile, text.replace(/^\d+/, String(bystander.pid)))
    chownSync(pidFile, uid, gid)
    const next = await start()
    expect(next.adopted).toBe(false)
    expect(isAlive(bystander.pid ?? 0)).toBe(true)
  })

  it('starts again with a socket when its socket file was taken away', async () => {
    seedDatabase()
    const first = await start()
    unlinkSync(join(first.connection.host, '.s.PGSQL.5432'))
    const next = await start()
    expect(next.pid).not.toBe(first.pid)
    expect(await query(next, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  })

  it('is shared by gateways that start at the same time', async () => {
    const [one, two, third] = await Promise.all([startElsewhere(), startElsewhere(), start()])
    expect(new Set([one.pid, two.pid, third.pid]).size).toBe(1)
    expect([one.adopted, two.adopted, third.adopted].filter((adopted) => !adopted)).toHaveLength(1)
    process.kill(third.pid, 'SIGKILL')
    const again = await Promise.all([startElsewhere(), start(), start()])
    expect(new Set(again.map(({ pid }) => pid)).size).toBe(1)
    expect(again[0].pid).not.toBe(third.pid)
  })

  it('finds a short private directory for the socket when the run directory is too long', async () => {
    seedDatabase()
    const systemDir = join(base, 's'.repeat(100))
    const database = await start({ runDir: join(base, 'r'.repeat(100)), systemDir })
    const directory = database.connection.host
    try {
      expect(dirname(directory)).toBe(realpathSync(tmpdir()))
      expect(lstatSync(directory).mode & 0o777).toBe(0o700)
      await database.stop()
      const next = await start({ runDir: join(base, 'r'.repeat(100)), systemDir })
      expect(next.connection.host).toBe(directory)
      await next.stop()
    } finally {
      rmSync(directory, { recursive: true, force: true })
    }
  })

  it('refuses data of another major version and says how to move it', async () => {
    seedDatabase()
    const database = await start()
    await database.stop()
    writeFileSync(join(database.directory, 'PG_VERSION'), '17\n')
    await expect(start()).rejects.toMatchObject({
      code: 'database_major_changed',
      message: expect.stringContaining('countersign export'),
    })
  })

  it('reports why PostgreSQL did not start', async () => {
    seedDatabase()
    const database = await start()
    await database.stop()
    rmSync(join(database.directory, 'global', 'pg_control'))
    await expect(start()).rejects.toMatchObject({
      code: 'database_not_started',
      message: expect.stringContaining('pg_control'),
    })
  })

  it('refuses a directory that others can write to', async () => {
    mkdirSync(options.dataDir)
    chmodSync(options.dataDir, 0o777)
    await expect(start()).rejects.toMatchObject({ code: 'database_directory_refused' })
  })
})

describe.skipIf(!asRoot)('the embedded database under root', () => {
  it('shows its password and its socket to no other uid', async () => {
    seedDatabase()
    const database = await start()
    const password = join(dirname(database.directory), 'password')
    expect(statSync(password).mode & 0o777).toBe(0o600)
    expect(readFileSync(password, 'utf8').trim()).toBe(database.connection.password)
    const { uid } = statSync(database.directory)
    for (const other of [stranger, uid]) {
      const read = spawnSync('cat', [password], { uid: other, gid: other, cwd: '/', encoding: 'utf8' })
      expect(read).toMatchObject({ stdout: '', status: 1 })
    }
    const socket = join(database.connection.host, '.s.PGSQL.5432')
    const connect = `require('net').connect(${JSON.stringify(socket)}).on('connect', () => process.exit(0)).on('error', (e) => { console.log(e.code); process.exit(1) })`
    const attempt = (as: object) =>
      spawnSync(process.execPath, ['-e', connect], { cwd: '/', encoding: 'utf8', ...as })
    expect(attempt({}).status).toBe(0)
    expect(attempt({ uid: stranger, gid: stranger }).stdout.trim()).toBe('EACCES')
  })

  it('runs as an unprivileged user, in the system directory when a parent is closed to that user', async () => {
    const closed = join(base, 'closed')
    mkdirSync(closed, { mode: 0o700 })
    const packageDir = join(closed, 'linux-x64')
    cpSync(locatePackage(process.platform, process.arch), packageDir, { recursive: true })
    const inside = { dataDir: join(closed, 'data'), runDir: join(closed, 'run'), packageDir }
    const first = await start(inside)
    expect(first.directory.startsWith(`${options.systemDir}/`)).toBe(true)
    expect(first.connection.host.startsWith(`${options.systemDir}/`)).toBe(true)
    expect(statSync(first.directory).uid).not.toBe(0)
    expect(statSync(`/proc/${first.pid}`).uid).toBe(statSync(first.directory).uid)
    await query(first, 'CREATE TABLE note (body text)')
    await first.stop()

    chmodSync(closed, 0o755)
    const next = await start(inside)
    expect(next.directory).toBe(first.directory)
    expect(await query(next, 'SELECT * FROM note')).toEqual([])
  })

  it('refuses to make a second, empty database when the way to the first was closed', async () => {
    mkdirSync(join(base, 'parent'), { mode: 0o755 })
    const dataDir = join(base, 'parent', 'data')
    seedDatabase(dataDir)
    const first = await start({ dataDir })
    expect(first.directory.startsWith(dataDir)).toBe(true)
    await first.stop()
    chmodSync(join(base, 'parent'), 0o700)
    await expect(start({ dataDir })).rejects.toMatchObject({ code: 'database_directory_refused' })
  })

  it('serves an ordinary user as that user, and refuses root in the home of that user', async () => {
    const home = join(base, 'home')
    mkdirSync(home, { mode: 0o700 })
    chownSync(home, stranger, stranger)
    const inside = { dataDir: join(home, 'data'), runDir: join(home, 'run') }
    const other = await startElsewhere(stranger, inside)
    expect(statSync(`/proc/${other.pid}`).uid).toBe(stranger)
    const root = startDatabase({ ...options, ...inside })
    await expect(root).rejects.toMatchObject({
      code: 'database_directory_refused',
      message: expect.stringContaining('as that user'),
    })
    process.kill(other.pid, 'SIGINT')
    await gone(other.pid)
  })
})

describe('the binaries', () => {
  const account = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0, switched: false }

  function stub(): string {
    const root = join(base, 'install', 'linux-x64')
    mkdirSync(join(root, 'native', 'bin'), { recursive: true })
    mkdirSync(join(root, 'native', 'lib'))
    writeFileSync(join(root, 'package.json'), '{"version":"18.4.0"}')
    for (const program of ['initdb', 'postgres']) writeFileSync(join(root, 'native', 'bin', program), '')
    writeFileSync(join(root, 'native', 'lib', 'libpq.so.5.18'), 'library')
    writeFileSync(
      join(root, 'native', 'pg-symlinks.json'),
      '[{"source":"native/lib/libpq.so.5.18","target":"native/lib/libpq.so.5"}]',
    )
    return root
  }

  it('get their missing links and execute permission, again and again', async () => {
    const root = stub()
    for (let time = 0; time < 2; time++) {
      const binaries = await prepareBinaries(root, account, join(base, 'copies'))
      expect(binaries.postgres).toBe(join(root, 'native', 'bin', 'postgres'))
      expect(readFileSync(join(root, 'native', 'lib', 'libpq.so.5'), 'utf8')).toBe('library')
      expect(statSync(binaries.initdb).mode & 0o100).toBe(0o100)
    }
    expect(existsSync(join(base, 'copies'))).toBe(false)
  })

  it.skipIf(!asRoot)(
    'are copied whole, and readable, when the account cannot reach the installation',
    async () => {
      const root = stub()
      chmodSync(join(base, 'install'), 0o700)
      chmodSync(join(root, 'native', 'lib', 'libpq.so.5.18'), 0o600)
      const copies = join(base, 'copies')
      const binaries = await prepareBinaries(root, { uid: stranger, gid: stranger, switched: true }, copies)
      const copy = join(copies, 'postgresql-18.4.0-linux-x64')
      expect(binaries.postgres).toBe(join(copy, 'native', 'bin', 'postgres'))
      const library = join(copy, 'native', 'lib', 'libpq.so.5')
      const read = spawnSync('cat', [library], { uid: stranger, gid: stranger, encoding: 'utf8' })
      expect(read.stdout).toBe('library')
    },
  )

  it.skipIf(asRoot)('are copied whole when the installation is read-only', async () => {
    const root = stub()
    const library = join(root, 'native', 'lib')
    chmodSync(library, 0o555)
    mkdirSync(join(base, 'copies'))
    const binaries = await prepareBinaries(root, account, join(base, 'copies'))
    chmodSync(library, 0o755)
    const copy = join(base, 'copies', 'postgresql-18.4.0-linux-x64')
    expect(binaries.postgres).toBe(join(copy, 'native', 'bin', 'postgres'))
    expect(readFileSync(join(copy, 'native', 'lib', 'libpq.so.5'), 'utf8')).toBe('library')
  })

  it('are refused on Windows and for a platform without a package, with a way out', () => {
    expect(() => locatePackage('win32', 'x64')).toThrow(/COUNTERSIGN_DATABASE_URL/)
    expect(() => locatePackage('linux', 'none')).toThrow(/COUNTERSIGN_DATABASE_URL/)
  })
})

describe('a database given by URL', () => {
  it('is accepted with an ordinary role and refused with one that row security does not bind', async () => {
    seedDatabase()
    const database = await start()
    const url = database.url('owner')
    expect((await databaseFromUrl(url)).connection).toEqual(database.connection)
    for (const [grant, revoke, reason] of [
      ['ALTER ROLE countersign BYPASSRLS;', 'ALTER ROLE countersign NOBYPASSRLS;', /BYPASSRLS/],
      [
        'CREATE ROLE chief SUPERUSER; GRANT chief TO countersign;',
        'DROP ROLE chief;',
        /can become, a superuser/,
      ],
      ['ALTER ROLE countersign SUPERUSER;', 'ALTER ROLE countersign NOSUPERUSER;', /superuser/],
      [
        'REVOKE countersign_assistant FROM countersign;',
        'GRANT countersign_assistant TO countersign;',
        /cannot become role countersign_assistant/,
      ],
    ] as const) {
      await (started.at(-1) ?? database).stop()
      editAsSuperuser(database, grant)
      const changed = await start()
      await expect(databaseFromUrl(url)).rejects.toThrow(reason)
      await changed.stop()
      editAsSuperuser(database, revoke)
    }
  })

  it('is refused when nothing answers, without repeating the password', async () => {
    const unused = createServer()
    const port = await new Promise<number>((resolve) => {
      unused.listen(0, '127.0.0.1', () => {
        const address = unused.address()
        resolve(typeof address === 'object' && address ? address.port : 0)
      })
    })
    await new Promise((resolve) => unused.close(resolve))
    const failure = databaseFromUrl(`postgresql://role:hunter2@127.0.0.1:${port}/db`)
    await expect(failure).rejects.toMatchObject({
      code: 'database_unreachable',
      message: expect.not.stringContaining('hunter2'),
    })
  })

  it('is refused when it is no PostgreSQL URL', async () => {
    for (const url of ['', 'hunter2', 'mysql://role:hunter2@localhost/db', '/var/run/postgresql']) {
      await expect(databaseFromUrl(url)).rejects.toMatchObject({
        code: 'database_url_invalid',
        message: expect.not.stringContaining('hunter2'),
      })
    }
  })
})
