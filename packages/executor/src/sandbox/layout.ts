/**
 * Owns how every sandbox looks from inside, whatever makes it: where things are, the environment a command starts
 * with, and how much there is of everything. Refuses words, names and directories that could mean something else.
 */
import { constants } from 'node:fs'
import { access, realpath } from 'node:fs/promises'
import { isAbsolute, join, normalize, relative, sep } from 'node:path'
import type { SandboxCommand, SandboxProbe } from './port.ts'

export interface SandboxPaths {
  /** Absolute path of the directory that appears as `/workspace`. */
  readonly workspace: string
  /** Absolute host paths that must stay invisible even where they lie inside the workspace. */
  readonly hidden: readonly string[]
  /** The Node.js binary that appears as `/opt/node/bin/node`. */
  readonly nodePath?: string
}

export const sandboxWorkspace = '/workspace'
export const sandboxNode = '/opt/node/bin/node'
const sandboxHome = '/tmp'

/** V8 reserves 512 MiB of writable address space that counts as data, so less than this stops Node at its start. */
export const leastMemoryBytes = 768 * 1024 * 1024
export const temporaryBytes = 64 * 1024 * 1024
export const largestFileBytes = 2 * 1024 ** 3
export const mostOpenFiles = 1024

export const systemFolders = ['bin', 'sbin', 'lib', 'lib64'] as const

/** Mounted read-only where the host has them. */
export const systemFiles = [
  '/etc/alternatives',
  '/etc/fonts',
  '/etc/ld.so.cache',
  '/etc/ld.so.conf',
  '/etc/ld.so.conf.d',
  '/etc/localtime',
  '/etc/mime.types',
  '/etc/ssl/certs',
  '/etc/ssl/openssl.cnf',
] as const

export const hostsText = '127.0.0.1 localhost\n::1 localhost\n'

export function passwdText(uid: number): string {
  return `agent:x:${uid}:${uid}::${sandboxHome}:/bin/sh\n`
}

const defaultEnvironment = {
  PATH: '/usr/local/bin:/usr/bin:/bin:/opt/node/bin',
  HOME: sandboxHome,
  TMPDIR: '/tmp',
  LANG: 'C.UTF-8',
}

export function environmentOf(env: SandboxCommand['env']): Record<string, string> {
  for (const [name, value] of Object.entries(env)) {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name) || value.includes('\0')) {
      throw new TypeError(`not an environment variable: ${JSON.stringify(name)}`)
    }
  }
  return { ...defaultEnvironment, ...env }
}

export function checkedWords(argv: readonly string[]): readonly string[] {
  if (argv.length === 0 || argv.some((word) => word.includes('\0'))) {
    throw new TypeError('a sandboxed command needs at least one word and no NUL byte')
  }
  return argv
}

export function workingDirectory(cwd: string): string {
  const path = normalize(cwd === '' ? '.' : cwd)
  if (isAbsolute(path) || path === '..' || path.startsWith(`..${sep}`) || path.includes('\0')) {
    throw new TypeError(`a working directory lies inside the workspace: ${JSON.stringify(cwd)}`)
  }
  return join(sandboxWorkspace, path)
}

/** The place with every link followed. `covered` are the hidden paths inside the workspace, relative to it. */
export interface ResolvedSandboxPaths {
  readonly kind: 'found'
  readonly workspace: string
  readonly covered: readonly string[]
  readonly node: string
}

export async function resolveSandboxPaths(
  place: SandboxPaths,
): Promise<ResolvedSandboxPaths | Extract<SandboxProbe, { kind: 'unavailable' }>> {
  const workspace = await realpath(place.workspace).catch(() => null)
  if (workspace === null) {
    const fix = `Create ${place.workspace}.`
    return { kind: 'unavailable', reason: `there is no workspace at ${place.workspace}`, fix }
  }
  const nodePath = place.nodePath ?? process.execPath
  const node = await realpath(nodePath).catch(() => null)
  if (node === null) {
    return {
      kind: 'unavailable',
      reason: `there is no Node.js at ${nodePath}`,
      fix: 'Install Node.js again.',
    }
  }
  const hidden = await Promise.all(place.hidden.map((path) => realpath(path).catch(() => path)))
  if (workspace === '/' || hidden.includes(workspace)) {
    const fix = 'Choose a directory of its own for the workspace.'
    return { kind: 'unavailable', reason: `${workspace} would expose what must stay hidden`, fix }
  }
  return { kind: 'found', workspace, covered: coveredPaths(workspace, hidden), node }
}

export async function firstExecutable(
  chosen: string | undefined,
  ...usual: readonly string[]
): Promise<string | null> {
  for (const path of chosen === undefined ? usual : [chosen]) {
    const isThere = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    )
    if (isThere) return path
  }
  return null
}

/** What lies in another one is covered with it; a second cover could not be mounted in there. */
function coveredPaths(workspace: string, hidden: readonly string[]): string[] {
  const inside = [...new Set(hidden.map((path) => relative(workspace, path)))].filter(
    (path) => path !== '..' && !path.startsWith(`..${sep}`) && !isAbsolute(path),
  )
  return inside.filter((path) => !inside.some((other) => path.startsWith(`${other}${sep}`)))
}
