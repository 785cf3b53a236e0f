/**
 * Owns what a program changed in the workspace: looked at before it began and after it ended, by the time that the
 * file system itself sets and no program can set back. Refuses to guess: what it cannot tell is told as not known.
 *
 * A file that was made, written, linked or moved has a later change time. A folder that was moved has one too, but
 * what is in it does not, and a folder's change time also moves when an entry comes or goes; so folders are known by
 * their inodes from before. Others who write meanwhile are counted with the program.
 */
import { closeSync, constants, type Dirent, fstatSync, lstatSync, openSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { foreignKindOf } from '@countersign/contract'
import { notText } from './sealed/path-change.ts'

export interface WorkspaceChanges {
  /** Paths of the workspace, each for all that is in it; null when it cannot be told. */
  readonly changed: readonly string[] | null
  /** Folders that strangers fill, which were there to be read; null when it cannot be told. */
  readonly foreign: readonly string[] | null
}

export interface WorkspaceWatch {
  /** Folders that strangers fill, as they were found at the beginning; null when it cannot be told. */
  readonly foreign: readonly string[] | null
  /** Called once the last process of the program is gone. */
  end(): Promise<WorkspaceChanges>
}

/** More entries than these are not looked at. */
const mostEntries = 200_000
const entriesAtOnce = 500
export const mostPaths = 1_000

/** How far the clock of the file system may fall behind the machine's steady one before it was set back. */
const clockSlackMs = 100

export async function watchWorkspace(root: string, limit = mostEntries): Promise<WorkspaceWatch> {
  const began = markTime(root)
  const steady = performance.now()
  const before = began === null ? null : await foldersIn(root, limit)
  return {
    foreign: before?.foreign ?? null,
    async end() {
      if (began === null || before === null) return { changed: null, foreign: null }
      const foreign = [...before.foreign]
      // In this order, so that a pause between two lines never looks like a clock that was set back.
      const elapsed = performance.now() - steady
      const now = markTime(root)
      if (now === null || now - began < elapsed - clockSlackMs) return { changed: null, foreign }
      const found = await changesIn(root, { since: began, folders: before.folders, limit })
      if (!found) return { changed: null, foreign: null }
      return {
        changed: gathered(found.changed, mostPaths),
        foreign: [...new Set([...foreign, ...found.foreign])],
      }
    },
  }
}

/** The paths, or folders that hold them: the deepest are given up first, so what is told grows coarse and loses nothing. */
export function gathered(paths: readonly string[], most: number): string[] {
  const kept = new Set(paths)
  const depthOf = (path: string) => (path === '.' ? 0 : path.split('/').length)
  for (let depth = Math.max(0, ...paths.map(depthOf)); kept.size > most && depth > 0; depth -= 1) {
    for (const path of kept) {
      if (depthOf(path) !== depth) continue
      kept.delete(path)
      kept.add(dirname(path))
    }
  }
  // What lies in a folder that is told is told with it.
  return [...kept].filter((path) => !ancestorsOf(path).some((folder) => kept.has(folder)))
}

function ancestorsOf(path: string): string[] {
  const found: string[] = []
  for (let folder = path; folder !== '.'; ) {
    folder = dirname(folder)
    found.push(folder)
  }
  return found
}

/** A file without a name gets the present time of the very clock that the workspace's files get theirs from. */
function markTime(root: string): number | null {
  try {
    const file = openSync(root, unnamedFile | constants.O_RDWR, 0o600)
    try {
      return fstatSync(file).ctimeMs
    } finally {
      closeSync(file)
    }
  } catch {
    // A file system that cannot do this may keep its times elsewhere.
    return null
  }
}

/** O_TMPFILE of Linux, which Node does not name. */
const unnamedFile = 0o20000000 | constants.O_DIRECTORY

interface Folders {
  /** The inode of each folder by its path. */
  readonly folders: ReadonlyMap<string, bigint>
  readonly foreign: readonly string[]
}

async function foldersIn(root: string, limit: number): Promise<Folders | null> {
  const folders = new Map<string, bigint>()
  const foreign: string[] = []
  let isText = true
  const isWhole = await walk(root, limit, (path, entry) => {
    if (!entry.isDirectory()) return 'on'
    // What is in there is found by no path.
    if (entry.name.includes(notText)) isText = false
    if (isForeign(path, entry.name)) foreign.push(path)
    const stat = statOf(root, path)
    if (stat) folders.set(path, stat.ino)
    return isSkipped(path, entry.name) ? 'past' : 'on'
  })
  return isWhole && isText ? { folders, foreign } : null
}

async function changesIn(
  root: string,
  known: { readonly since: number; readonly folders: ReadonlyMap<string, bigint>; readonly limit: number },
): Promise<{ changed: string[]; foreign: string[] } | null> {
  const changed: string[] = []
  const foreign: string[] = []
  /** Folders that are new or came from elsewhere: changed as a whole, and looked through for what strangers fill. */
  const fresh = new Set<string>()
  const device = lstatSync(root, { bigint: true }).dev
  const isWhole = await walk(root, known.limit, (path, entry) => {
    if (fresh.has(dirname(path))) {
      if (!entry.isDirectory()) return 'past'
      if (isForeign(path, entry.name)) foreign.push(path)
      fresh.add(path)
      return isSkipped(path, entry.name) ? 'past' : 'on'
    }
    if (!entry.isDirectory()) {
      const stat = lstatSync(join(root, path), { throwIfNoEntry: false })
      // It went away meanwhile, or its name is no text and nobody can speak of it by its path.
      if (!stat && entry.name.includes(notText)) changed.push(dirname(path))
      if (stat && (stat.ctimeMs >= known.since || stat.isDirectory())) changed.push(path)
      return 'past'
    }
    const stat = statOf(root, path)
    if (!stat && entry.name.includes(notText)) changed.push(dirname(path))
    if (!stat) return 'past'
    if (isForeign(path, entry.name)) foreign.push(path)
    const isSame = known.folders.get(path) === stat.ino && stat.dev === device
    if (isSame && !isSkipped(path, entry.name)) return 'on'
    changed.push(path)
    if (isSkipped(path, entry.name) || stat.dev !== device) return 'past'
    fresh.add(path)
    return 'on'
  })
  return isWhole ? { changed, foreign } : null
}

function isForeign(path: string, name: string): boolean {
  return foreignKindOf(name, path === name) !== undefined
}

/** What is in there is never trusted by itself, and often most of the workspace: it is told as changed without a look. */
function isSkipped(path: string, name: string): boolean {
  return foreignKindOf(name, path === name) === 'packages'
}

/** With an inode that is exact; a number could stand for two. */
function statOf(root: string, path: string) {
  return lstatSync(join(root, path), { bigint: true, throwIfNoEntry: false })
}

/** Visits every entry, a few hundred at a time so that other work goes on. False when there are too many. */
async function walk(
  root: string,
  limit: number,
  visit: (path: string, entry: Dirent) => 'on' | 'past',
): Promise<boolean> {
  const open = ['']
  let seen = 0
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    for (const entry of entriesOf(join(root, folder))) {
      seen += 1
      if (seen > limit) return false
      if (seen % entriesAtOnce === 0) await setImmediate()
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (visit(path, entry) === 'on' && entry.isDirectory()) open.push(path)
    }
  }
  return true
}

/** A folder that went away meanwhile holds nothing. Any other trouble is the caller's. */
function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return []
    throw error
  }
}
