/**
 * Owns how the files of an extension are told by one hash: their paths, their contents, and whether they can be run.
 * Refuses links, special files, and paths that could be mistaken or lead elsewhere.
 */
import { constants } from 'node:fs'
import { type FileHandle, lstat, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { largestTreeFile, mostTreeBytes, mostTreeFiles, type TreeFile } from '../extension.ts'
import { canonicalText } from '../json/canonical.ts'
import { sha256Hex } from './sha256.ts'

export type TreeRefusal = { readonly kind: 'refused'; readonly reason: string }
export type FoundTree = {
  readonly kind: 'tree'
  readonly sha256: string
  /** Sorted by path. */
  readonly files: readonly TreeFile[]
  /** Something at its top was not looked at. */
  readonly leftOut?: true
}

export interface TreeLimits {
  readonly files: number
  readonly bytes: number
  readonly fileBytes: number
}

export const treeLimits: TreeLimits = {
  files: mostTreeFiles,
  bytes: mostTreeBytes,
  fileBytes: largestTreeFile,
}

/** The files may come in any order. */
export function treeHash(files: readonly TreeFile[]): string {
  return sha256Hex(canonicalText({ v: 1, files: sorted(files) as TreeFile[] }))
}

/** Says why these files cannot be a tree, or nothing. */
export function treeProblem(
  files: readonly Pick<TreeFile, 'path' | 'size'>[],
  limits: TreeLimits = treeLimits,
): string | undefined {
  if (files.length === 0) return 'There is no file in it.'
  if (files.length > limits.files) return `It has more than ${limits.files} files.`
  const total = files.reduce((sum, { size }) => sum + size, 0)
  if (total > limits.bytes) return `It is larger than ${limits.bytes} bytes.`
  const large = files.find(({ size }) => size > limits.fileBytes)
  if (large) return `${shown(large.path)} is larger than ${limits.fileBytes} bytes.`
  return pathsProblem(files.map(({ path }) => path))
}

/** Reads a folder of the host. Every file is hashed; what changes meanwhile is refused where it is copied. */
export async function readTree(
  folder: string,
  limits: TreeLimits = treeLimits,
  ignored: readonly string[] = [],
): Promise<FoundTree | TreeRefusal> {
  const paths = await pathsIn(folder, limits, ignored)
  if (!Array.isArray(paths)) return paths
  const files: TreeFile[] = []
  let left = limits.bytes
  // Several at a time: a package of a server has thousands of small files.
  for (let at = 0; at < paths.length; at += readTogether) {
    const some = paths.slice(at, at + readTogether)
    const most = Math.min(left, limits.fileBytes)
    const found = await Promise.all(some.map((path) => readTreeFile(folder, path, most)))
    for (const [index, read] of found.entries()) {
      if ('reason' in read) return { kind: 'refused', reason: read.reason }
      const { bytes, executable } = read
      left -= bytes.length
      files.push({ path: some[index] ?? '', size: bytes.length, sha256: sha256Hex(bytes), executable })
    }
    if (left < 0) return { kind: 'refused', reason: `It is larger than ${limits.bytes} bytes.` }
  }
  const reason = treeProblem(files, limits)
  if (reason !== undefined) return { kind: 'refused', reason }
  const there = ignored.length === 0 ? [] : await readdir(folder)
  const leftOut = there.some((name) => ignored.includes(name))
  return {
    kind: 'tree',
    sha256: treeHash(files),
    files: sorted(files),
    ...(leftOut ? { leftOut: true } : {}),
  }
}

const readTogether = 16

/** A file that is a link, or lies behind one, is refused. */
export async function readTreeFile(
  folder: string,
  path: string,
  maxBytes: number,
): Promise<{ readonly bytes: Buffer; readonly executable: boolean } | { readonly reason: string }> {
  let handle: FileHandle | undefined
  try {
    handle = await open(join(folder, path), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    const stat = await handle.stat()
    if (!stat.isFile()) return { reason: `${shown(path)} is not a file.` }
    if (stat.size > maxBytes) return { reason: `${shown(path)} makes it too large.` }
    const bytes = await handle.readFile()
    if (bytes.length > maxBytes) return { reason: `${shown(path)} makes it too large.` }
    return { bytes, executable: (stat.mode & 0o100) !== 0 }
  } catch (error) {
    return {
      reason: `${shown(path)} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    }
  } finally {
    await handle?.close()
  }
}

/** Every path that is not a folder, sorted. */
async function pathsIn(
  folder: string,
  limits: TreeLimits,
  ignored: readonly string[],
): Promise<string[] | TreeRefusal> {
  const refused = (reason: string): TreeRefusal => ({ kind: 'refused', reason })
  const root = await lstat(folder).catch(() => undefined)
  if (!root?.isDirectory()) return refused(`${shown(folder)} is not a folder.`)
  const found: string[] = []
  const waiting = ['']
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    for (const entry of await readdir(join(folder, at), { withFileTypes: true, encoding: 'buffer' })) {
      const name = entry.name.toString('utf8')
      if (!Buffer.from(name, 'utf8').equals(entry.name)) return refused('A name in it is not UTF-8.')
      const path = at === '' ? name : `${at}/${name}`
      if (ignored.includes(path)) continue
      if (entry.isDirectory()) waiting.push(path)
      else if (entry.isFile()) found.push(path)
      else if (entry.isSymbolicLink()) return refused(`${shown(path)} is a link. Put the file itself there.`)
      else return refused(`${shown(path)} is neither a file nor a folder.`)
      if (found.length + waiting.length > limits.files)
        return refused(`It has more than ${limits.files} files.`)
    }
  }
  return found.toSorted(byCode)
}

/** What ends a line, what nobody sees, what other systems take for something else, and blanks that are no space. */
const badCharacters =
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\u034f\u115f\u1160\u3164\uffa0\\:*?"<>|]|(?! )\p{Zs}|(?:^|\/) | (?:\/|$)/u
const longestPath = 512
const deepestPath = 40

function pathsProblem(paths: readonly string[]): string | undefined {
  const seen = new Map<string, string>()
  for (const path of paths) {
    const parts = path.split('/')
    if (path.length > longestPath || parts.length > deepestPath || !path.isWellFormed())
      return `The path ${shown(path)} is too long or no text.`
    if (parts.some((part) => part === '' || part === '.' || part === '..') || badCharacters.test(path))
      return `The path ${shown(path)} could lead elsewhere or be mistaken.`
    // Each folder too, so that a file and a folder never share a name.
    for (let end = 1; end <= parts.length; end += 1) {
      const written = parts.slice(0, end).join('/')
      const folded = `${end === parts.length ? 'file' : 'folder'}`
      const key = written.normalize('NFKC').toLowerCase()
      const known = seen.get(key)
      if (known === undefined) seen.set(key, `${folded}:${written}`)
      else if (known !== `folder:${written}` || folded === 'file')
        return `The path ${shown(path)} and another one differ only in case or spelling.`
    }
  }
  return undefined
}

function sorted(files: readonly TreeFile[]): TreeFile[] {
  return files.toSorted((left, right) => byCode(left.path, right.path))
}

function byCode(left: string, right: string): number {
  if (left === right) return 0
  return left < right ? -1 : 1
}

function shown(path: string): string {
  return JSON.stringify(path.slice(0, 200))
}
