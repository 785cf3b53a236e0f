/**
 * Decides where the embedded database lives and which account runs it. Refuses directories that another uid controls.
 *
 * An ordinary user runs PostgreSQL as itself, in `dataDir`. PostgreSQL refuses root, so root runs it as the owner of
 * the existing data, else as a user of its own that has no name. When that account cannot reach `dataDir` (a parent such as
 * /root is closed to it), the data goes to `systemDir/<hash of dataDir>`. The hash makes the choice repeatable, and
 * data that exists already always wins over a fresh choice, so a later chmod of a parent cannot hide a database.
 *
 * The socket goes to `runDir/db`; when that path is too long for a socket, or closed to the account, to the system
 * directory or to a private directory under the temporary directory, both named by the same hash. A running server is
 * found again through the socket directory in its own pid file, wherever that was.
 */
import { createHash } from 'node:crypto'
import { chmod, chown, lchown, mkdir, realpath, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { folderProblem, serviceAccount } from '@countersign/contract/node'
import { DatabaseError } from './database-error.ts'
import { codeOf, exists, readIfPresent } from './file.ts'

export interface Account {
  uid: number
  gid: number
  /** True when this process is root and PostgreSQL runs as somebody else. */
  switched: boolean
}

export interface ClusterPaths {
  account: Account
  home: string
  instance: string
  cluster: string
  socketDir: string
  /** Where a copy of the binaries goes when the installed ones cannot be used. */
  copyDir: string
}

export async function chooseClusterPaths(options: {
  dataDir: string
  runDir: string
  systemDir: string
}): Promise<ClusterPaths> {
  await mkdir(options.dataDir, { recursive: true, mode: 0o700 })
  const dataDir = await realpath(options.dataDir)
  const hash = createHash('sha256').update(dataDir).digest('hex').slice(0, 16)
  const systemHome = join(options.systemDir, hash)
  const uid = process.getuid?.() ?? -1
  const root = uid === 0
  const { home, account } = root
    ? await homeForRoot(dataDir, systemHome)
    : { home: dataDir, account: { uid, gid: process.getgid?.() ?? -1, switched: false } }

  if (root && home === systemHome) await prepareSystemDirectory(options.systemDir)
  await preparePrivateDirectory(home, account)
  const socketDir = await prepareSocketDirectory({ ...options, systemHome, hash, account })
  const instance = join(home, 'instance')
  return {
    account,
    home,
    instance,
    cluster: join(instance, 'cluster'),
    socketDir,
    copyDir: root ? options.systemDir : home,
  }
}

/** A directory of ours; with a switched account, one that the account may pass through but not list or change. */
export async function preparePrivateDirectory(path: string, account: Account): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 })
  requireOwner(path, [])
  if (account.switched) await chown(path, 0, account.gid)
  await chmod(path, account.switched ? 0o710 : 0o700)
}

/** A directory that belongs to the account itself. */
export async function prepareAccountDirectory(path: string, account: Account): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 })
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  }
  requireOwner(path, [account.uid])
  if (account.switched) await lchown(path, account.uid, account.gid)
  await chmod(path, 0o700)
}

export async function prepareSystemDirectory(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o755 })
  requireOwner(path, [])
}

/** Whether the account may pass through a directory and all its parents, by their permission bits. */
export async function canReach(path: string, account: Account): Promise<boolean> {
  for (let current = await realpath(path); ; current = dirname(current)) {
    const { mode, uid, gid } = await stat(current)
    const bit = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001
    if ((mode & bit) === 0) return false
    if (current === dirname(current)) return true
  }
}

async function homeForRoot(dataDir: string, systemHome: string): Promise<{ home: string; account: Account }> {
  for (const home of [systemHome, dataDir]) {
    const cluster = join(home, 'instance', 'cluster')
    if (!(await exists(cluster))) continue
    const { uid, gid } = await stat(cluster)
    const account = { uid, gid, switched: true }
    const owner = (await stat(home)).uid
    if (owner !== 0) {
      throw directoryRefused(
        `The database in ${home} belongs to user ${owner}.`,
        'Start the gateway as that user.',
      )
    }
    if (uid === 0) {
      throw directoryRefused(
        `${cluster} belongs to root, and PostgreSQL refuses root.`,
        'Change its owner to another user.',
      )
    }
    if (!(await canReach(dirname(home), account))) {
      throw directoryRefused(
        `User ${uid} owns the database in ${cluster} but may no longer pass through its parent directories.`,
        'Restore the execute permission on the parents, then start again.',
      )
    }
    return { home, account }
  }
  const account = { ...serviceAccount('database', dataDir), switched: true }
  return { home: (await canReach(dirname(dataDir), account)) ? dataDir : systemHome, account }
}

/**
 * Who makes the cluster: PostgreSQL's own programs for that want a user with a name. It is in the group of the account
 * that gets the cluster afterwards, and owns nothing of it then.
 */
export async function makerFor(account: Account): Promise<Account> {
  if (!account.switched) return account
  const lines = ((await readIfPresent('/etc/passwd')) ?? '').split('\n').map((line) => line.split(':'))
  if (lines.some(([, , uid]) => Number(uid) === account.uid)) return account
  for (const name of ['postgres', 'nobody']) {
    const [, , uid] = lines.find((fields) => fields[0] === name) ?? []
    if (Number(uid) > 0) return { ...account, uid: Number(uid) }
  }
  throw directoryRefused(
    'PostgreSQL refuses to run as root, and this machine has neither a user postgres nor a user nobody.',
    'Start the gateway as an ordinary user, or set COUNTERSIGN_DATABASE_URL.',
  )
}

async function prepareSocketDirectory(options: {
  runDir: string
  systemDir: string
  systemHome: string
  hash: string
  account: Account
}): Promise<string> {
  const { account, systemHome } = options
  await mkdir(options.runDir, { recursive: true, mode: 0o700 })
  const runDir = await realpath(options.runDir)
  const nearRun = join(runDir, 'db')
  if (fitsSocket(nearRun) && (!account.switched || (await canReach(runDir, account)))) {
    await prepareAccountDirectory(nearRun, account)
    return nearRun
  }
  const nearSystem = resolve(systemHome, 'db')
  if (account.switched && fitsSocket(nearSystem)) {
    await prepareSystemDirectory(options.systemDir)
    await preparePrivateDirectory(systemHome, account)
    await prepareAccountDirectory(nearSystem, account)
    return nearSystem
  }
  const temporary = join(await realpath(tmpdir()), `countersign-${account.uid}-${options.hash}`)
  if (!fitsSocket(temporary)) {
    throw directoryRefused(
      `No directory with a path short enough for a socket was found; ${temporary} is also too long.`,
      'Choose a shorter home directory.',
    )
  }
  await prepareAccountDirectory(temporary, account)
  return temporary
}

/** macOS allows 103 bytes and Linux 107; the list syntax of unix_socket_directories forbids the characters. */
function fitsSocket(directory: string): boolean {
  return Buffer.byteLength(`${directory}/.s.PGSQL.5432`) <= 103 && !/["',\\\n\r]/.test(directory)
}

/** On the way to it only ours and root's count; the folder itself may be of one of these owners. */
function requireOwner(path: string, owners: readonly number[]): void {
  const problem = folderProblem(path, owners)
  if (problem === null) return
  throw directoryRefused(`${path} is refused: ${problem.what}.`, problem.next)
}

function directoryRefused(what: string, next: string): DatabaseError {
  return new DatabaseError('database_directory_refused', what, next)
}
