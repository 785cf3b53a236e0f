/**
 * Puts a list of changes into the workspace, all or none: what stood there is kept and written down first, every path
 * is looked at again right before it changes, and what went before is put back when one is not as it was. It runs inside
 * the sandbox as source text, so it stands alone.
 */
import type { PathChange, TreeEntry } from './path-change.ts'
import type { Tree, TreeStat } from './tree-program.ts'

export interface Placing {
  /** Copies what the changes replace or remove into the folder, and gives the list with where it is. */
  keep(list: readonly PathChange[], folder: string): PathChange[] | { readonly moved: string }
  /** Gives the paths that were not as they should be; nothing is changed then. Bytes come from the tree. */
  place(list: readonly PathChange[], source: Tree, kept: Tree): string[]
  /** Puts back what a placing did that did not come to its end. Gives what somebody else has changed since. */
  giveBack(list: readonly PathChange[], kept: Tree): string[]
  /** Whether that is what stands there. */
  isAt(path: string, entry: TreeEntry | null): boolean
}

export function placeProgram(host: Tree, id: string): Placing {
  const fs = process.getBuiltinModule('node:fs')
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = fs.constants
  const seen = new Map<string, TreeStat>()

  class Moved extends Error {
    readonly path: string
    constructor(path: string) {
      super(path)
      this.path = path
    }
  }

  const depth = ({ path }: PathChange): number => path.split('/').length
  const isFolder = (entry: TreeEntry | null): boolean => entry?.kind === 'folder'
  /** By the whole list, so that whoever gives back finds what was begun for a path. */
  const numbers = new Map<string, number>()
  const number = (list: readonly PathChange[]): void =>
    list.forEach(({ path }, index) => void numbers.set(path, index))
  const temporary = (path: string): string => {
    const folder = path.slice(0, path.lastIndexOf('/') + 1)
    return `${folder}.countersign-${id}-${numbers.get(path)}.tmp`
  }

  type FileOf = Extract<TreeEntry, { kind: 'file' }>

  function fill(source: Tree, from: string, to: Buffer | string, { mode, modifiedMs }: FileOf): string {
    const input = source.openFile(from)
    try {
      const output = fs.openSync(to, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600)
      try {
        const sha256 = source.copy(input, output)
        fs.fchmodSync(output, mode)
        fs.futimesSync(output, modifiedMs / 1000, modifiedMs / 1000)
        return sha256
      } finally {
        fs.closeSync(output)
      }
    } finally {
      fs.closeSync(input)
    }
  }

  function keep(list: readonly PathChange[], folder: string): PathChange[] | { moved: string } {
    const kept: PathChange[] = []
    for (const [index, change] of list.entries()) {
      const moved = attempt(change.path, () => void kept.push(keepOne(change, index, folder)))
      if (moved !== undefined) return { moved }
    }
    return kept
  }

  function keepOne(change: PathChange, index: number, folder: string): PathChange {
    const { path, before } = change
    const found = host.stat(path)
    if (found !== undefined) seen.set(path, found)
    if (before?.kind !== 'file') {
      if (!isAt(path, before)) throw new Moved(path)
      return change
    }
    const bytes = String(index)
    const sha256 = fill(host, path, `${folder}/${bytes}`, { ...before, mode: 0o600 })
    if (sha256 !== before.sha256 || !isSeen(path)) throw new Moved(path)
    return { ...change, before: { ...before, bytes } }
  }

  /** A name that another name of the same file loses changes the time of both. */
  function isSeen(path: string): boolean {
    const [then, now] = [seen.get(path), host.stat(path)]
    if (then === undefined || now === undefined) return then === now
    if (then.ino !== now.ino || then.dev !== now.dev) return false
    // What is in a folder has a look of its own.
    if (then.isDirectory()) return now.isDirectory()
    const isLike = then.mode === now.mode && then.mtimeNs === now.mtimeNs && then.size === now.size
    return isLike && (then.nlink > 1n || then.ctimeNs === now.ctimeNs)
  }

  function isAt(path: string, entry: TreeEntry | null): boolean {
    const stat = host.stat(path)
    const now = stat && host.entry(path, stat)
    if (now === undefined || entry === null) return stat === undefined && entry === null
    if (now.kind === 'folder') return entry.kind === 'folder' && now.mode === entry.mode
    if (now.kind === 'link') return entry.kind === 'link' && now.target === entry.target
    return entry.kind === 'file' && now.sha256 === entry.sha256 && now.mode === entry.mode
  }

  function put({ path, before, after }: PathChange, source: Tree): void {
    if (after === null || after.kind === 'folder') return
    const fresh = temporary(path)
    try {
      fs.rmSync(host.at(fresh), { force: true })
      if (after.kind === 'link') fs.symlinkSync(Buffer.from(after.target, 'latin1'), host.at(fresh))
      else if (after.same === null || !isAt(after.same, after)) {
        if (fill(source, after.bytes, host.at(fresh), after) !== after.sha256) throw new Moved(path)
      } else fs.linkSync(host.at(after.same), host.at(fresh))
      if (!isSeen(path)) throw new Moved(path)
      if (before === null || isFolder(before)) claim(fresh, path)
      else fs.renameSync(host.at(fresh), host.at(path))
    } finally {
      fs.rmSync(host.at(fresh), { force: true })
    }
  }

  /** A name that must be free is taken without replacing what has come there meanwhile. */
  function claim(fresh: string, path: string): void {
    const stat = host.stat(fresh)
    if (stat?.isSymbolicLink()) {
      const target = fs.readlinkSync(host.at(fresh), { encoding: 'buffer' })
      fs.symlinkSync(target, host.at(path))
    } else fs.linkSync(host.at(fresh), host.at(path))
  }

  function remove({ path, before }: PathChange): void {
    if (!isSeen(path)) throw new Moved(path)
    if (isFolder(before)) {
      fs.rmdirSync(host.at(path))
      host.forget()
    } else fs.unlinkSync(host.at(path))
    seen.delete(path)
  }

  /** Objects before what refers to them: whoever reads a repository meanwhile finds all that it names. */
  function steps(
    list: readonly PathChange[],
    source: Tree,
    freesFirst = false,
  ): readonly (readonly [PathChange, () => void])[] {
    const turned = list.filter(({ before, after }) => before && after && isFolder(before) !== isFolder(after))
    const isInTheWay = ({ path }: PathChange): boolean =>
      freesFirst || turned.some((change) => path === change.path || path.startsWith(`${change.path}/`))
    const goes = list.filter(
      ({ before, after }) => before !== null && (after === null || isFolder(before) !== isFolder(after)),
    )
    const going = goes.toSorted((one, other) => depth(other) - depth(one))
    const made = list
      .filter(({ after }) => isFolder(after))
      .toSorted((one, other) => depth(one) - depth(other))
    const objects = list.toSorted(
      (one, other) => Number(other.path.includes('/objects/')) - Number(one.path.includes('/objects/')),
    )
    const chmod = (change: PathChange, mode: number) => (): void => host.setMode(change.path, mode)
    const modeOf = ({ after }: PathChange): number => (after?.kind === 'folder' ? after.mode : 0o755)
    const opened = list.filter(({ before }) => isFolder(before))
    return [
      ...opened.map((change) => [change, chmod(change, 0o700)] as const),
      ...going.filter(isInTheWay).map((change) => [change, () => remove(change)] as const),
      ...made
        .filter(({ before }) => !isFolder(before))
        .map((change) => [change, () => fs.mkdirSync(host.at(change.path), { mode: 0o700 })] as const),
      ...objects.map((change) => [change, () => put(change, source)] as const),
      ...going
        .filter((change) => !isInTheWay(change))
        .map((change) => [change, () => remove(change)] as const),
      ...made.toReversed().map((change) => [change, chmod(change, modeOf(change))] as const),
    ]
  }

  const movedCodes = ['EEXIST', 'ENOENT', 'ENOTDIR', 'ENOTEMPTY', 'ELOOP']

  /** Gives the path at which a step met something else, or nothing. */
  function attempt(path: string, step: () => void): string | undefined {
    try {
      step()
      return undefined
    } catch (error) {
      if (error instanceof Moved) return error.path
      if (movedCodes.includes((error as NodeJS.ErrnoException).code ?? '')) return path
      throw error
    }
  }

  /** A folder has another mode while it is being worked in. */
  function isLeftAt(path: string, entry: TreeEntry | null): boolean {
    return isFolder(entry) ? host.stat(path)?.isDirectory() === true : isAt(path, entry)
  }

  function giveBack(list: readonly PathChange[], kept: Tree): string[] {
    const lost: string[] = []
    const back: PathChange[] = []
    host.forget()
    seen.clear()
    number(list)
    list.forEach(({ path, before, after }) => {
      const fresh = temporary(path)
      if (host.stat(fresh) !== undefined) fs.rmSync(host.at(fresh), { force: true })
      const present = host.stat(path)
      if (present !== undefined) seen.set(path, present)
      const isBack = isLeftAt(path, before)
      if (isBack && !isFolder(before)) return
      if (present !== undefined && !isBack && !isLeftAt(path, after)) lost.push(path)
      else back.push({ path, before: present === undefined ? null : isBack ? before : after, after: before })
    })
    // Each for itself: what somebody else has changed since must not keep the rest from coming back.
    // What is new goes first, so that there is space for what was there.
    let failure: unknown
    for (const [{ path }, step] of steps(back, kept, true)) {
      try {
        const moved = attempt(path, step)
        if (moved !== undefined) lost.push(moved)
      } catch (error) {
        failure ??= error
      }
    }
    if (failure !== undefined) throw failure
    return lost
  }

  return {
    keep,
    giveBack,
    isAt,
    place(list, source, kept) {
      number(list)
      try {
        for (const [{ path }, step] of steps(list, source)) {
          const moved = attempt(path, step)
          if (moved !== undefined) return [...new Set([moved, ...giveBack(list, kept)])]
        }
        return []
      } catch (error) {
        giveBack(list, kept)
        throw error
      }
    },
  }
}
