/**
 * Lists what a command changed: what its layer holds, against the workspace below it. It runs inside the sandbox as
 * source text, so it stands alone. It changes nothing and follows no link.
 */
import type { PathChange, TreeEntry } from './path-change.ts'
import type { Tree, TreeStat } from './tree-program.ts'

export interface ListRequest {
  /** What changed at this time of the file system or later, in nanoseconds, changed while the command ran. */
  readonly since: string
  /** The content that a bound file must still have on the host if the command changed it; null for none. */
  readonly sealed: Readonly<Record<string, string | null>>
  /** What the command did not see. A change there was made without knowing what it changes. */
  readonly hidden: readonly string[]
  readonly mostChanges: number
  readonly mostBytes: number
}

export interface ListedChanges {
  readonly list: PathChange[]
  /** What somebody else changed meanwhile. */
  readonly conflicts: ReadonlySet<string>
  /** Pipes, sockets, devices and what runs as its owner: never taken over. */
  readonly left: ReadonlySet<string>
  readonly tooMuch: string | null
}

export function listProgram(host: Tree, changes: Tree, view: Tree, request: ListRequest): ListedChanges {
  const since = BigInt(request.since)
  const list: PathChange[] = []
  const conflicts = new Set<string>()
  const left = new Set<string>()
  const firstNames = new Map<string, string>()
  let bytes = 0

  class TooMuch extends Error {}

  const below = (path: string, name: string): string => (path === '' ? name : `${path}/${name}`)
  const isPlain = (stat: TreeStat): boolean =>
    stat.isDirectory() || stat.isSymbolicLink() || (stat.isFile() && (stat.mode & 0o6000n) === 0n)

  function refuseHidden(path: string): void {
    const isHidden = request.hidden.some((each) => path === each || path.startsWith(`${each}/`))
    if (isHidden)
      throw new TooMuch('it would change or remove a file that is hidden from it. Name that file in the call')
  }

  /** Bounded by the sizes before anything is read. */
  function count(stat: TreeStat | undefined): void {
    if (stat?.isFile()) bytes += Number(stat.size)
    if (bytes > request.mostBytes)
      throw new TooMuch(`more than ${request.mostBytes} bytes are new or would have to be kept`)
  }

  function withName(which: string, path: string, stat: TreeStat, entry: TreeEntry | undefined) {
    if (entry?.kind !== 'file' || stat.nlink < 2n) return entry ?? null
    const key = `${which} ${stat.dev} ${stat.ino}`
    const same = firstNames.get(key) ?? null
    if (same === null) firstNames.set(key, path)
    return { ...entry, same }
  }

  /** What stands on the host must be what stood there when the command began; of a folder, also what is in it. */
  function before(path: string, found: TreeStat | undefined): TreeEntry | null {
    const entry = found && withName('host', path, found, host.entry(path, found))
    const sealed = Object.hasOwn(request.sealed, path) ? request.sealed[path] : undefined
    if (sealed !== undefined) {
      const present = entry?.kind === 'file' ? entry.sha256 : null
      if (sealed !== present || (sealed === null && found !== undefined)) conflicts.add(path)
    } else if (found && found.ctimeNs >= since) conflicts.add(path)
    return entry ?? null
  }

  function push(path: string, found: TreeStat | undefined, changed: TreeStat | undefined): void {
    if (list.length >= request.mostChanges)
      throw new TooMuch(`it changed more than ${request.mostChanges} files and folders`)
    count(found?.isDirectory() ? undefined : found)
    count(changed)
    const after = changed && withName('new', path, changed, changes.entry(path, changed))
    list.push({ path, before: before(path, found), after: after ?? null })
  }

  function leave(path: string): void {
    left.add(path)
    if (left.size > request.mostChanges)
      throw new TooMuch(`it made more than ${request.mostChanges} pipes, sockets or devices`)
  }

  /** All that is in it as well; what could not be brought back stays, and so do the folders above it. Says if it goes. */
  function remove(path: string, found: TreeStat, becomes?: TreeStat): boolean {
    refuseHidden(path)
    let goes = isPlain(found)
    for (const name of found.isDirectory() ? host.names(path) : []) {
      const inner = host.stat(below(path, name))
      if (inner !== undefined && !remove(below(path, name), inner)) goes = false
    }
    if (goes) push(path, found, becomes)
    else leave(path)
    return goes
  }

  /** A copy that the command only linked to or opened. */
  function isSame(path: string, found: TreeStat, changed: TreeStat): boolean {
    const isLike =
      found.isFile() &&
      changed.isFile() &&
      found.size === changed.size &&
      found.mtimeNs === changed.mtimeNs &&
      found.mode === changed.mode
    if (!isLike || Object.hasOwn(request.sealed, path)) return false
    const [one, other] = [host.entry(path, found), changes.entry(path, changed)]
    return one?.kind === 'file' && other?.kind === 'file' && one.sha256 === other.sha256
  }

  function folder(path: string, found: TreeStat | undefined, changed: TreeStat): void {
    if (found === undefined) push(path, undefined, changed)
    else if (!found.isDirectory()) remove(path, found, changed)
    // One that its owner may not write needs its mode set for a moment, so it is in the list as well.
    else if (((found.mode ^ changed.mode) & 0o777n) !== 0n || (found.mode & 0o700n) !== 0o700n) {
      if ((found.mode & 0o7000n) === 0n) push(path, found, changed)
      else leave(path)
    }
    if (!left.has(path) || found?.isDirectory()) walk(path, found?.isDirectory() === true)
  }

  function one(path: string): void {
    const changed = changes.stat(path)
    // A name that is whited out is a device without a number.
    if (changed === undefined || (changed.isCharacterDevice() && changed.rdev === 0n)) return
    const found = host.stat(path)
    if (found !== undefined) refuseHidden(path)
    if (!isPlain(changed) || (found !== undefined && !isPlain(found))) leave(path)
    else if (changed.isDirectory()) folder(path, found, changed)
    else if (found?.isDirectory()) remove(path, found, changed)
    else if (found === undefined || !isSame(path, found, changed)) push(path, found, changed)
  }

  function walk(path: string, isThere: boolean): void {
    // The host first: a file that appears in between is then in the view as well and is not taken for a removed one.
    const there = isThere ? host.names(path) : []
    const seen = new Set(view.names(path))
    for (const name of there) {
      const found = seen.has(name) ? undefined : host.stat(below(path, name))
      if (found !== undefined) remove(below(path, name), found)
    }
    for (const name of changes.names(path)) one(below(path, name))
  }

  try {
    walk('', true)
  } catch (error) {
    if (error instanceof TooMuch) return { list: [], conflicts, left, tooMuch: error.message }
    throw error
  }
  return { list, conflicts, left, tooMuch: null }
}
