/**
 * A PostgreSQL 15 with pgvector, for tests. Debian 12 has no package of pgvector, so its source comes from the next
 * release and is built against the headers of Debian's own PostgreSQL. All of it lies in a temporary folder: nothing is
 * installed on the machine, and no list of apt's is changed. Needs Debian 12, its mirror, gcc and dpkg.
 */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, copyFile, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import type { TestConnection } from '../harness/src/postgres.ts'

export interface PgvectorServer {
  /** The product's role: owner of its database, not a superuser. */
  readonly connection: Readonly<TestConnection>
  readonly administrator: Readonly<TestConnection>
  readonly version: string
  stop(): Promise<void>
}

const run = promisify(execFile)

export async function startPgvectorServer(): Promise<PgvectorServer> {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-pgvector-'))
  try {
    // The server runs as another user, who must be able to reach its programs.
    await chmod(folder, 0o755)
    const root = await unpackServer(folder)
    const version = await buildExtension(folder, root)
    return { ...(await startServer(folder, root)), version }
  } catch (cause) {
    await rm(folder, { recursive: true, force: true })
    throw cause
  }
}

const release = '15'

async function unpackServer(folder: string): Promise<string> {
  const [packages, root] = [join(folder, 'packages'), join(folder, 'root')]
  await Promise.all([mkdir(packages), mkdir(root)])
  const wanted = [`postgresql-${release}`, `postgresql-server-dev-${release}`]
  await run('apt-get', ['-o', 'APT::Sandbox::User=', 'download', ...wanted], { cwd: packages })
  for (const name of await readdir(packages)) await run('dpkg', ['-x', join(packages, name), root])
  return root
}

/** Compiled without the makefile, which would install into the system's folders. */
async function buildExtension(folder: string, root: string): Promise<string> {
  const source = await fetchSource(folder)
  const version = /pgvector-([\d.]+)$/.exec(source)?.[1]
  if (version === undefined) throw new Error(`${source} does not tell the version of pgvector.`)
  const files = (await readdir(join(source, 'src'))).filter((name) => name.endsWith('.c'))
  const library = join(root, 'usr/lib/postgresql', release, 'lib/vector.so')
  const flags =
    '-O2 -ftree-vectorize -fassociative-math -fno-signed-zeros -fno-trapping-math -fPIC -shared'.split(' ')
  const headers = join(root, 'usr/include/postgresql', release, 'server')
  const sources = files.map((name) => join(source, 'src', name))
  await run('gcc', [...flags, `-I${headers}`, ...sources, '-lm', '-o', library])
  const share = join(root, 'usr/share/postgresql', release, 'extension')
  await copyFile(join(source, 'vector.control'), join(share, 'vector.control'))
  await copyFile(join(source, 'sql/vector.sql'), join(share, `vector--${version}.sql`))
  return version
}

async function fetchSource(folder: string): Promise<string> {
  const [lists, cache, source] = [join(folder, 'lists'), join(folder, 'cache'), join(folder, 'source')]
  await mkdir(join(lists, 'partial'), { recursive: true })
  await mkdir(join(cache, 'archives/partial'), { recursive: true })
  await mkdir(source)
  const list = join(folder, 'sources.list')
  const keys = '/usr/share/keyrings/debian-archive-keyring.gpg'
  await writeFile(list, `deb-src [signed-by=${keys}] http://deb.debian.org/debian trixie main\n`)
  const options = [
    `Dir::Etc::sourcelist=${list}`,
    'Dir::Etc::sourceparts=/dev/null',
    `Dir::State::lists=${lists}`,
    `Dir::Cache=${cache}`,
    'APT::Sandbox::User=',
  ].flatMap((option) => ['-o', option])
  await run('apt-get', [...options, 'update'])
  await run('apt-get', [...options, 'source', '--download-only', 'pgvector'], { cwd: source })
  const archive = (await readdir(source)).find((name) => name.includes('.orig.tar'))
  if (archive === undefined) throw new Error('apt gave no source of pgvector.')
  await run('tar', ['-xf', archive], { cwd: source })
  const unpacked = (await readdir(source)).find((name) => /^pgvector-[\d.]+$/.test(name))
  return join(source, unpacked ?? '')
}

async function startServer(folder: string, root: string): Promise<Omit<PgvectorServer, 'version'>> {
  const programs = join(root, 'usr/lib/postgresql', release, 'bin')
  const place = join(folder, 'server')
  const data = join(place, 'data')
  await mkdir(data, { recursive: true, mode: 0o700 })
  const owner = await unprivilegedUser()
  if (owner) await Promise.all([place, data].map((each) => chown(each, owner.uid, owner.gid)))
  const launch = { ...owner, cwd: place, env: {} }
  const flags = ['-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync']
  await run(join(programs, 'initdb'), ['-D', data, ...flags], launch)
  const settings = ['listen_addresses=', `unix_socket_directories=${place}`, 'fsync=off', 'jit=off']
  const server = spawn(
    join(programs, 'postgres'),
    ['-D', data, ...settings.flatMap((setting) => ['-c', setting])],
    { ...launch, stdio: 'ignore' },
  )
  const exited = once(server, 'exit')
  const killAtExit = () => server.kill('SIGQUIT')
  process.once('exit', killAtExit)
  const administrator = { host: place, port: 5432, user: 'postgres', database: 'postgres' }
  const connection = { host: place, port: 5432, user: 'countersign', database: 'countersign' }
  const client = await connected(administrator)
  await client.query('create role countersign login nosuperuser')
  await client.query('create role countersign_assistant; grant countersign_assistant to countersign')
  await client.query('create database countersign owner countersign')
  await client.end()
  return {
    connection,
    administrator,
    async stop() {
      process.removeListener('exit', killAtExit)
      server.kill('SIGQUIT')
      await exited
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** PostgreSQL refuses to run as root. */
async function unprivilegedUser(): Promise<{ uid: number; gid: number } | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const [user, group] = await Promise.all([run('id', ['-u', 'postgres']), run('id', ['-g', 'postgres'])])
  return { uid: Number(user.stdout), gid: Number(group.stdout) }
}

async function connected(connection: TestConnection): Promise<pg.Client> {
  for (let attempt = 0; ; attempt += 1) {
    const client = new pg.Client(connection)
    try {
      await client.connect()
      return client
    } catch (error) {
      if (attempt > 500) throw error
      await delay(20)
    }
  }
}
