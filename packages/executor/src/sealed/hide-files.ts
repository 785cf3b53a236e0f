/**
 * Owns how paths of the workspace are kept from a command: a name that stays free lies over each of them in the layer
 * above the workspace. Such a name also stays free while somebody else writes there. Refuses to call a path hidden that
 * could be reached in another way: through a second name of the same file, or because a link is on the way to it.
 */
import { lstat, readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { foreignFolderOf, isWithin } from '@countersign/contract'
import { notText } from './path-change.ts'
import { makeFolders, wayTo } from './seal-file.ts'

export interface HiddenPath {
  readonly path: string
  /** Something stands there. */
  readonly there: boolean
}

export interface HiddenPaths {
  readonly hidden: readonly HiddenPath[]
  /** Names in the layer that must be made to stay free. */
  readonly whiteouts: readonly string[]
}

/** More entries than these of a folder are not looked at for second names. */
const mostEntries = 2_000
/** More paths than these are not hidden. */
const mostPaths = 1_000

/** `bound` are paths that the command must see. What is left out of the answer is not hidden. */
export async function hidePaths(
  root: string,
  paths: readonly string[],
  bound: readonly string[],
  into: string,
): Promise<HiddenPaths> {
  const hidden: HiddenPath[] = []
  const whiteouts = new Set<string>()
  // A folder before what is in it.
  for (const path of [...new Set(paths)].toSorted().slice(0, mostPaths)) {
    if (hidden.some((outer) => isWithin(path, outer.path))) {
      hidden.push({ path, there: false })
      continue
    }
    if (bound.some((each) => isWithin(each, path)) || path.includes(notText)) continue
    const way = await wayTo(root, path)
    // A path that goes through a link, or is a link itself, has another name.
    if (way === undefined || way.links.length > 0) continue
    if (!way.isAbsent && (way.real !== path || (await hasOtherName(root, path)))) continue
    if (!(await isFolder(join(root, dirname(way.real))))) continue
    await makeFolders(root, into, dirname(way.real))
    const free = join(into, way.real)
    if ((await lstat(free).catch(() => undefined)) !== undefined && !whiteouts.has(free)) continue
    whiteouts.add(free)
    hidden.push({ path, there: !way.isAbsent })
  }
  return { hidden, whiteouts: [...whiteouts] }
}

/** A layer would show a folder where a file stands. */
async function isFolder(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined))?.isDirectory() === true
}

/** Packages and histories are linked by their managers, to places where they are hidden as well. */
async function hasOtherName(root: string, path: string): Promise<boolean> {
  const found = await lstat(join(root, path))
  if (!found.isDirectory()) return found.nlink > 1
  const kind = foreignFolderOf(path)?.kind
  if (kind === 'packages' || kind === 'history') return false
  const open = [path]
  let seen = 0
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    for (const entry of await readdir(join(root, folder), { withFileTypes: true })) {
      seen += 1
      if (seen > mostEntries) return true
      const inner = `${folder}/${entry.name}`
      if (entry.isDirectory()) open.push(inner)
      else if ((await lstat(join(root, inner))).nlink > 1) return true
    }
  }
  return false
}
