/**
 * Owns which folders are ours alone. Whoever owns a folder, or may write to one above it, decides what its path leads
 * to; so every component counts, links included. Refuses those of other users and those that others can write to.
 */
import { lstatSync, mkdirSync, readFileSync, readlinkSync, type Stats } from 'node:fs'
import { dirname, join, parse, resolve, sep } from 'node:path'
import { CountersignError } from '../errors.ts'

const sticky = 0o1000
const mostLinks = 40

/** Makes the folder where it is missing, closed to others. Throws where it would not be ours alone. */
export function prepareOwnFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 })
  requireOwnFolder(path)
}

/** Throws where the folder, or one on the way to it, is another user's or open to others. */
export function requireOwnFolder(path: string): void {
  const problem = folderProblem(path)
  if (problem === null) return
  throw new CountersignError('folder_refused', `${path} is refused: ${problem.what}.`, { next: problem.next })
}

export interface FolderProblem {
  readonly what: string
  readonly next: string
}

/**
 * Why others could decide what is in the folder; null where they cannot. Of folders that are missing only those above
 * count. A folder like /tmp, in which everybody may make names and nobody may take those of others, is no problem above
 * one of ours; as the folder itself it is. `owners` may own the folder itself as well.
 */
export function folderProblem(path: string, owners: readonly number[] = []): FolderProblem | null {
  const own = process.getuid?.()
  if (own === undefined) return null
  const trusted = new Set([own, 0])
  let current = parse(resolve(path)).root
  let rest = partsOf(path)
  let links = 0
  let problem = problemOf(current, lstatSync(current), trusted, rest.length === 0)
  while (problem === null) {
    const [part, ...after] = rest
    if (part === undefined) return null
    const next = join(current, part)
    const found = lstatSync(next, { throwIfNoEntry: false })
    if (found === undefined) return null
    if (found.isSymbolicLink()) {
      links += 1
      if (links > mostLinks)
        return { what: `${next} is a link that leads in circles`, next: `Remove ${next}.` }
      if (!trusted.has(found.uid)) return foreign(next, found)
      const target = resolve(dirname(next), readlinkSync(next))
      current = parse(target).root
      rest = [...partsOf(target), ...after]
      continue
    }
    const isLast = after.length === 0
    problem = problemOf(next, found, isLast ? new Set([...trusted, ...owners]) : trusted, isLast)
    current = next
    rest = after
  }
  return problem
}

function partsOf(path: string): string[] {
  const full = resolve(path)
  return full
    .slice(parse(full).root.length)
    .split(sep)
    .filter((part) => part !== '')
}

function problemOf(
  path: string,
  found: Stats,
  owners: ReadonlySet<number>,
  isLast: boolean,
): FolderProblem | null {
  if (!found.isDirectory()) return { what: `${path} is not a folder`, next: `Move ${path} away.` }
  if (!owners.has(found.uid)) return foreign(path, found)
  const shared = isLast ? 0 : found.mode & sticky
  const open = (found.mode & 0o002) !== 0 || ((found.mode & 0o020) !== 0 && !isPrivateGroup(found.gid))
  if (!open || shared !== 0) return null
  return { what: `others can write to ${path}`, next: `Run \`chmod go-w ${path}\`, then try again.` }
}

function foreign(path: string, { uid }: Stats): FolderProblem {
  return {
    what: `${path} belongs to another user (${uid})`,
    next: `Move ${path} away if you did not make it, or choose another folder with COUNTERSIGN_HOME.`,
  }
}

/** Whether nobody but this user is in the group: many systems give each user one of the same name. */
function isPrivateGroup(gid: number): boolean {
  const users = rowsOf('/etc/passwd')
  const name = users.find(([, , uid]) => uid === String(process.getuid?.()))?.[0]
  const group = rowsOf('/etc/group').find(([, , id]) => id === String(gid))
  if (name === undefined || group?.[0] !== name) return false
  const members = (group[3] ?? '').split(',').filter((member) => member !== '' && member !== name)
  return members.length === 0 && users.every(([user, , , id]) => id !== String(gid) || user === name)
}

function rowsOf(file: string): string[][] {
  try {
    return readFileSync(file, 'utf8')
      .split('\n')
      .map((line) => line.split(':'))
  } catch (error) {
    if (error instanceof Error && 'code' in error) return []
    throw error
  }
}
