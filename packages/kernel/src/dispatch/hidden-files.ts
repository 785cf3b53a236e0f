/**
 * Owns which marked files are hidden from a program over a view and from a search: all that the call does not name. What cannot be hidden whole
 * is not hidden, and then counts for what the program brings back. Pure.
 */
import {
  type ApprovalSubject,
  isNamed,
  isWithin,
  type Label,
  mostHidden,
  type Resource,
  type ToolResult,
  type ViewedProgram,
  viewedProgramOf,
} from '@countersign/contract'
import type { KnownFiles } from './label-of-files.ts'

type Unseen = Pick<ApprovalSubject, 'hidden' | 'own'>

/** Whether anything can be hidden from the call: it runs over a view, or looks through a folder. */
export function mayHide(resources: readonly Resource[]): boolean {
  return lookerOf(resources) !== undefined
}

/** What a permit says of it. `own` are all folders that the operator called theirs. */
export function unseenBy(resources: readonly Resource[], { marks, own }: KnownFiles): Unseen {
  const program = lookerOf(resources)
  if (!program) return { hidden: [], own: [] }
  const searched = folderSearched(resources)
  const marked = marks.filter(isStrangers).map(({ path }) => path)
  // A history of theirs may hold what was marked since, so it is hidden like any other.
  const theirs = own.filter((each) => !marked.some((path) => isWithin(path, each))).slice(0, mostHidden)
  // Git takes a file that it cannot see for a deleted one, and its history may hold what is in it.
  if (program.needs.includes('history')) return { hidden: [], own: theirs }
  const outermost = marked.filter((path) => !marked.some((other) => other !== path && isWithin(path, other)))
  const hidable = outermost.filter(
    (path) =>
      path !== '.' && !isNamed(path, program) && !own.some((each) => each !== path && isWithin(each, path)),
  )
  const near = hidable.filter((path) => isWithin(path, searched ?? '.'))
  if (near.length > mostHidden) return { hidden: [], own: theirs }
  // A file elsewhere may have a second name in the folder that is searched.
  const far = hidable.filter((path) => !near.includes(path)).slice(0, mostHidden - near.length)
  return { hidden: [...near, ...far].toSorted(), own: theirs }
}

/** Looking through a folder names that folder and nothing in it. */
function lookerOf(resources: readonly Resource[]): ViewedProgram | undefined {
  const searched = folderSearched(resources)
  return searched === undefined
    ? viewedProgramOf(resources)
    : { named: [], needs: [], below: false, cwd: searched }
}

/** Nothing else reads a folder by its content. */
function folderSearched(resources: readonly Resource[]): string | undefined {
  const searched = resources.find(
    (resource) =>
      resource.type === 'file' &&
      resource.root === 'workspace' &&
      resource.op === 'read' &&
      resource.content === null &&
      resource.identity !== 'absent',
  )
  return resources.length === 1 && searched?.type === 'file' ? searched.path : undefined
}

/** The marks that count for what a call read: those of files that it was really kept from do not. */
export function marksSeen<Mark extends { readonly path: string }>(
  marks: readonly Mark[],
  { hidden }: Pick<ApprovalSubject, 'hidden'>,
  traced: ToolResult['files'],
): Mark[] {
  const kept = (traced?.hidden ?? []).filter((path) => hidden.includes(path))
  return kept.length === 0 ? [...marks] : marks.filter(({ path }) => !kept.some((one) => isWithin(path, one)))
}

function isStrangers({ path, label }: { readonly path: string; readonly label: Label }): boolean {
  return label.integrity === 'untrusted' && !path.startsWith('/')
}
