/**
 * How the programs that take changes over reach files: folder by folder, through descriptors, and never through a link.
 * It runs inside the sandbox as source text, so it stands alone: no imports, nothing from outside the function.
 */
import type { TreeEntry } from './path-change.ts'

export type TreeStat = import('node:fs').BigIntStats

export interface Tree {
  /** Nothing where there is nothing, or where a folder on the way is none. */
  stat(path: string): TreeStat | undefined
  names(path: string): string[]
  /** The entry as it is now; nothing for what is neither file, link nor folder. Files are read to their end. */
  entry(path: string, stat: TreeStat): TreeEntry | undefined
  /** A path for one call that names the last part within its opened folder. */
  at(path: string): Buffer
  /** Copies the bytes of one open file into another and gives their hash. */
  copy(from: number, to: number): string
  openFile(path: string): number
  /** Of a folder; one that is a link by now is refused. */
  setMode(path: string, mode: number): void
  /** After a folder went away: another may come in its place. */
  forget(): void
}

export function treeProgram(root: string): Tree {
  const fs = process.getBuiltinModule('node:fs')
  const crypto = process.getBuiltinModule('node:crypto')
  const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK } = fs.constants
  const O_PATH = 0o10000000
  const buffer = Buffer.alloc(1_048_576)
  const folders = new Map<string, number>()

  const within = (folder: number, name: string): Buffer =>
    Buffer.from(`/proc/self/fd/${folder}/${name}`, 'latin1')

  /** A few are held: neighbours come one after the other, and a call may name two. */
  function folderAt(path: string): number {
    const known = folders.get(path)
    if (known !== undefined && !isStill(known, path)) forget()
    const held = folders.get(path) ?? openFolder(path)
    folders.delete(path)
    folders.set(path, held)
    const [oldest] = folders.keys()
    if (folders.size > 8 && oldest !== undefined) {
      fs.closeSync(folders.get(oldest) ?? -1)
      folders.delete(oldest)
    }
    return held
  }

  /** One that somebody moved meanwhile would take what is put into it along, wherever it is now. */
  function isStill(folder: number, path: string): boolean {
    const found = fs.readlinkSync(`/proc/self/fd/${folder}`, { encoding: 'latin1' })
    return found === (path === '' ? root : `${root}/${path}`)
  }

  function openFolder(path: string): number {
    let folder = fs.openSync(root, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
    for (const name of path === '' ? [] : path.split('/')) {
      const outer = folder
      try {
        folder = fs.openSync(within(outer, name), O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
      } finally {
        fs.closeSync(outer)
      }
    }
    return folder
  }

  function at(path: string): Buffer {
    const cut = path.lastIndexOf('/')
    return within(folderAt(path.slice(0, Math.max(cut, 0))), path.slice(cut + 1))
  }

  function copy(from: number, to: number): string {
    const hash = crypto.createHash('sha256')
    for (let count = fs.readSync(from, buffer); count > 0; count = fs.readSync(from, buffer)) {
      hash.update(buffer.subarray(0, count))
      for (let sent = 0; to !== -1 && sent < count; ) sent += fs.writeSync(to, buffer, sent, count - sent)
    }
    return hash.digest('hex')
  }

  const openFile = (path: string): number => fs.openSync(at(path), O_RDONLY | O_NOFOLLOW | O_NONBLOCK)

  function hashOf(path: string): string {
    const file = openFile(path)
    try {
      return copy(file, -1)
    } finally {
      fs.closeSync(file)
    }
  }

  /** By a descriptor that needs no permission of the folder itself. */
  function setMode(path: string, mode: number): void {
    const folder = fs.openSync(at(path), O_PATH | O_DIRECTORY | O_NOFOLLOW)
    try {
      fs.chmodSync(`/proc/self/fd/${folder}`, mode)
    } finally {
      fs.closeSync(folder)
    }
  }

  function forget(): void {
    for (const folder of folders.values()) fs.closeSync(folder)
    folders.clear()
  }

  return {
    at,
    setMode,
    forget,
    copy,
    openFile,
    stat(path) {
      try {
        return fs.lstatSync(at(path), { bigint: true, throwIfNoEntry: false })
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException
        if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP') return undefined
        throw error
      }
    },
    names: (path) => fs.readdirSync(`/proc/self/fd/${folderAt(path)}/.`, { encoding: 'latin1' }),
    entry(path, stat) {
      const mode = Number(stat.mode & 0o777n)
      if (stat.isDirectory()) return { kind: 'folder', mode }
      if (stat.isSymbolicLink())
        return { kind: 'link', target: fs.readlinkSync(at(path), { encoding: 'latin1' }) }
      if (!stat.isFile()) return undefined
      const [size, modifiedMs] = [Number(stat.size), Number(stat.mtimeNs) / 1e6]
      return { kind: 'file', mode, size, modifiedMs, sha256: hashOf(path), bytes: path, same: null }
    },
  }
}
