/**
 * Owns how one file of the workspace is sealed: opened once, hashed while it is copied into a private folder, and
 * compared with the hash that the permit binds. What was compared is what is in the folder. Links on the way are
 * sealed with it, so that the path leads to the same place for as long as the folder is used.
 */
import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { chmod, type FileHandle, lstat, mkdir, open, readlink, stat, symlink, utimes } from 'node:fs/promises'
import { dirname, isAbsolute, join, normalize, relative, sep } from 'node:path'

export interface SealedFile {
  readonly kind: 'sealed'
  /** Without links, relative to the workspace. */
  readonly path: string
  /** Null where nothing must be: whoever made the folder puts a whiteout there. */
  readonly sha256: string | null
}

export type Sealing = SealedFile | { readonly kind: 'changed'; readonly reason: string }

/** `expected` is the hash of the content, or null for a name that must be free. */
export async function sealFile(
  root: string,
  path: string,
  expected: string | null,
  into: string,
): Promise<Sealing> {
  const way = await wayTo(root, path)
  if (way === undefined) return { kind: 'changed', reason: `${path} leads elsewhere.` }
  await makeFolders(root, into, dirname(way.real))
  await sealLinks(root, way, into)
  if (way.isAbsent || expected === null) {
    return way.isAbsent && expected === null
      ? { kind: 'sealed', path: way.real, sha256: null }
      : { kind: 'changed', reason: `${path} ${way.isAbsent ? 'is gone' : 'exists now'}.` }
  }
  const sha256 = await copied(join(root, way.real), join(into, way.real))
  return sha256 === expected
    ? { kind: 'sealed', path: way.real, sha256 }
    : { kind: 'changed', reason: `${path} has changed since it was looked at.` }
}

/**
 * Seals the links on the way that a path takes as it is written. Gives the file that it leads to, or nothing for a path
 * that is a link itself or leads to no file of the workspace; such a path is not bound.
 */
export async function sealWay(root: string, path: string, into: string): Promise<string | undefined> {
  const way = await wayTo(root, path)
  if (way === undefined || way.isAbsent || way.links.some(({ at }) => at === normalize(path)))
    return undefined
  await sealLinks(root, way, into)
  const found = await lstat(join(root, way.real)).catch(nothing)
  return found?.isFile() ? way.real : undefined
}

async function sealLinks(root: string, { links }: PathLinks, into: string): Promise<void> {
  for (const { at, target } of links) {
    await makeFolders(root, into, dirname(at))
    await symlink(target, join(into, at)).catch(ignoreExisting)
  }
}

export interface PathLinks {
  readonly links: readonly { readonly at: string; readonly target: string }[]
  /** For a name that is free: the first part of the path that does not exist. */
  readonly real: string
  readonly isAbsent: boolean
}

const mostLinks = 40

export async function wayTo(root: string, path: string): Promise<PathLinks | undefined> {
  const links: { at: string; target: string }[] = []
  let parts = path.split('/').filter((part) => part !== '' && part !== '.')
  let here = ''
  while (parts.length > 0) {
    const [part = '', ...rest] = parts
    const at = join(here, part)
    const found = await lstat(join(root, at)).catch(nothing)
    if (found === undefined) return { links, real: at, isAbsent: true }
    if (found.isSymbolicLink()) {
      const target = await readlink(join(root, at))
      const inside = isAbsolute(target) ? relative(root, target) : normalize(join(here, target))
      if (links.length === mostLinks || isOutside(inside)) return undefined
      links.push({ at, target })
      parts = [...inside.split('/').filter((step) => step !== '' && step !== '.'), ...rest]
      here = ''
    } else {
      here = at
      parts = rest
    }
  }
  return here === '' ? undefined : { links, real: here, isAbsent: false }
}

function isOutside(path: string): boolean {
  return path === '..' || path.startsWith(`..${sep}`) || isAbsolute(path)
}

/** Gives the hash of what was copied, or nothing if the path leads elsewhere by now. */
async function copied(from: string, to: string): Promise<string | undefined> {
  const source = await open(from, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    nothing,
  )
  if (source === undefined) return undefined
  try {
    const found = await source.stat()
    // The kernel's own answer to where the descriptor lies covers the folders above the last name.
    if (!found.isFile() || (await readlink(`/proc/self/fd/${source.fd}`)) !== from) return undefined
    const copy = await open(to, constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC, 0o600)
    let sha256: string
    try {
      sha256 = await hashedCopy(source, copy)
    } finally {
      await copy.close()
    }
    await chmod(to, found.mode & 0o777)
    await utimes(to, found.atime, found.mtime)
    return sha256
  } finally {
    await source.close()
  }
}

/** Copies all that the descriptor gives and hashes exactly that. */
export async function hashedCopy(source: FileHandle, copy: FileHandle): Promise<string> {
  const hash = createHash('sha256')
  const buffer = Buffer.alloc(1024 * 1024)
  for (let offset = 0; ; ) {
    const { bytesRead } = await source.read(buffer, 0, buffer.length, offset)
    if (bytesRead === 0) return hash.digest('hex')
    const part = buffer.subarray(0, bytesRead)
    hash.update(part)
    for (let sent = 0; sent < bytesRead; ) {
      const { bytesWritten } = await copy.write(part, sent, bytesRead - sent, offset + sent)
      sent += bytesWritten
    }
    offset += bytesRead
  }
}

/** The folders above a file look as they do on the host, because the upper layer says how a folder looks. */
export async function makeFolders(root: string, into: string, folder: string): Promise<void> {
  const parts = folder === '.' ? [] : folder.split('/')
  for (let length = 1; length <= parts.length; length += 1) {
    const path = parts.slice(0, length).join('/')
    const made = await mkdir(join(into, path)).then(() => true, ignoreExisting)
    if (made !== true) continue
    const { mode } = await stat(join(root, path)).catch(() => ({ mode: 0o755 }))
    await chmod(join(into, path), (mode & 0o777) | 0o700)
  }
}

function nothing(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR' || error.code === 'ELOOP') return undefined
  throw error
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error
}
