/**
 * Creates the files of a database that does not exist yet, and its settings.
 * `instance` appears by one rename once it is complete, so a start that dies half way leaves nothing to trip over.
 * The only way in is role `countersign` by SCRAM over the private socket: the superuser has no password and no line in
 * pg_hba.conf, and the role is made in single-user mode, before any server listens.
 */
import { createHash, randomBytes } from 'node:crypto'
import { lchown, open, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Binaries, runAs } from './binaries.ts'
import {
  type Account,
  type ClusterPaths,
  makerFor,
  prepareAccountDirectory,
  preparePrivateDirectory,
} from './cluster-paths.ts'
import { DatabaseError } from './database-error.ts'
import { exists, readIfPresent, replaceFile, syncDirectory } from './file.ts'

export const roleName = 'countersign'
export const databaseName = 'countersign'
export const socketPort = 5432

/** Resolves to true when the instance was created by this call. */
export async function ensureInstance(paths: ClusterPaths, binaries: Binaries): Promise<boolean> {
  if (!(await exists(paths.instance))) {
    await createInstance(paths, binaries)
    return true
  }
  const major = (await readIfPresent(join(paths.cluster, 'PG_VERSION')))?.trim()
  if (major === binaries.major) return false
  throw new DatabaseError(
    'database_major_changed',
    `The data in ${paths.cluster} was written by PostgreSQL ${major ?? 'of unknown version'}, but this release has ${binaries.major}.`,
    'Run `countersign export` with the release that wrote it, move the directory away, and import into this one.',
  )
}

export async function readPassword(paths: ClusterPaths): Promise<string> {
  const password = await readIfPresent(join(paths.instance, 'password'))
  if (password) return password.trim()
  throw new DatabaseError(
    'database_directory_refused',
    `The password file ${join(paths.instance, 'password')} is missing.`,
    'Restore it from a backup of the same directory.',
  )
}

/** Written again at every cold start, so that a new release brings its settings with it. */
export async function writeSettings(instance: string, account: Account, socketDir: string): Promise<void> {
  const mode = account.switched ? 0o640 : 0o600
  const group = account.switched ? account.gid : undefined
  const lines = Object.entries(settings(instance, socketDir)).map(([name, value]) => `${name} = ${value}`)
  await replaceFile(join(instance, 'postgresql.conf'), `${lines.join('\n')}\n`, mode, group)
  await replaceFile(join(instance, 'pg_hba.conf'), `local all ${roleName} scram-sha-256\n`, mode, group)
}

/** Stands in the title of every server process, which is how backends without a server are told apart. */
export function clusterNameOf(cluster: string): string {
  return `countersign-${createHash('sha256').update(cluster).digest('hex').slice(0, 16)}`
}

export function serverArguments(instance: string): string[] {
  return [
    '-D',
    join(instance, 'cluster'),
    '-c',
    `config_file=${join(instance, 'postgresql.conf')}`,
    '-c',
    `hba_file=${join(instance, 'pg_hba.conf')}`,
  ]
}

async function createInstance(paths: ClusterPaths, binaries: Binaries): Promise<void> {
  const { account } = paths
  const partial = `${paths.instance}.new`
  const cluster = join(partial, 'cluster')
  await rm(partial, { recursive: true, force: true })
  await preparePrivateDirectory(partial, account)
  const maker = await makerFor(account)
  await prepareAccountDirectory(cluster, maker)
  const password = randomBytes(32).toString('base64url')
  await writeSecret(join(partial, 'password'), password)
  await writeSettings(partial, account, paths.socketDir)

  await step(maker, binaries.initdb, [
    `--pgdata=${cluster}`,
    '--username=postgres',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--data-checksums',
    '--auth=reject',
    '--wal-segsize=4',
    '--no-instructions',
    '--no-sync',
  ])
  await step(
    maker,
    binaries.postgres,
    ['--single', ...serverArguments(partial), '-c', 'fsync=off', '-c', 'exit_on_error=on', 'postgres'],
    [
      `CREATE ROLE ${roleName} LOGIN NOSUPERUSER NOBYPASSRLS NOCREATEROLE NOCREATEDB NOREPLICATION PASSWORD '${password}';`,
      `CREATE ROLE ${roleName}_assistant;`,
      `GRANT ${roleName}_assistant TO ${roleName};`,
      `CREATE DATABASE ${databaseName} OWNER ${roleName};`,
      // `postgres` stays open: DBOS asks it whether our database exists.
      'REVOKE CONNECT ON DATABASE template1 FROM PUBLIC;',
      '',
    ].join('\n'),
  )
  if (maker.uid !== account.uid) await giveTo(cluster, account)
  // Once for everything above, which skipped it; the rename below must not be the first thing to survive.
  // One flush of the file system is quicker than one for each of a thousand files.
  const method = process.platform === 'linux' ? ['--sync-method=syncfs'] : []
  await step(account, binaries.initdb, [`--pgdata=${cluster}`, '--sync-only', ...method])
  await syncDirectory(partial)
  await rename(partial, paths.instance)
  await syncDirectory(paths.home)
}

async function giveTo(folder: string, { uid, gid }: Account): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    await lchown(join(entry.parentPath, entry.name), uid, gid)
  }
  await lchown(folder, uid, gid)
}

async function step(account: Account, program: string, args: string[], input?: string): Promise<void> {
  const { code, output } = await runAs(account, program, args, input)
  if (code === 0) return
  throw new DatabaseError(
    'database_not_started',
    `The database could not be created: ${program} ended with ${code}: ${output.trim().slice(-1500)}`,
    'Check free disk space and permissions, then start again; an incomplete database is discarded automatically.',
  )
}

async function writeSecret(path: string, secret: string): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(`${secret}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
}

function settings(instance: string, socketDir: string): Record<string, string> {
  return {
    cluster_name: `'${clusterNameOf(join(instance, 'cluster'))}'`,
    listen_addresses: "''",
    port: String(socketPort),
    unix_socket_directories: `'"${socketDir}"'`,
    unix_socket_permissions: '0700',
    password_encryption: 'scram-sha-256',

    fsync: 'on',
    synchronous_commit: 'on',
    full_page_writes: 'on',
    // Without it macOS acknowledges a flush that is still in the drive's cache.
    ...(process.platform === 'darwin' ? { wal_sync_method: 'fsync_writethrough' } : {}),

    shared_buffers: '32MB',
    huge_pages: 'off',
    wal_buffers: '1MB',
    work_mem: '4MB',
    maintenance_work_mem: '32MB',
    max_connections: '60',
    // A worker process costs more memory than it saves time at this size.
    io_method: 'sync',
    max_worker_processes: '1',
    max_parallel_workers: '0',
    max_parallel_workers_per_gather: '0',
    max_parallel_maintenance_workers: '0',
    max_logical_replication_workers: '0',
    max_replication_slots: '0',
    max_wal_senders: '0',
    wal_level: 'minimal',
    jit: 'off',

    autovacuum_naptime: '60s',
    autovacuum_max_workers: '1',
    autovacuum_worker_slots: '1',
    bgwriter_delay: '1s',
    wal_writer_delay: '1s',
    checkpoint_timeout: '15min',
    min_wal_size: '32MB',
    max_wal_size: '256MB',

    timezone: "'UTC'",
    log_timezone: "'UTC'",
    log_checkpoints: 'off',
    // Statements and the details of errors carry the operator's words; the log keeps neither.
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
  }
}
