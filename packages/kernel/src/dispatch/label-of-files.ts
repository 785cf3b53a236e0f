/**
 * Owns how far a path is trusted by what is known of it: marks, folders that the operator called theirs, and the table of
 * folders that strangers fill. Pure.
 *
 * The deepest word about a path holds. A mark that is put on a folder takes away what the operator said of anything in
 * it, so a folder of the operator's below a marked one was always named later.
 */
import {
  type ForeignFolder,
  foreignFolderOf,
  joinLabels,
  type Label,
  operatorLabel,
} from '@countersign/contract'

/** What the call reads: files and folders by their path, absolute outside the workspace. */
export interface FileScopes {
  /** A folder stands for all that is in it, `.` for the whole workspace. */
  readonly paths: readonly string[]
  /** Folders of strangers of which the content tells; null when that is not known. */
  readonly found: readonly string[] | null
}

export interface KnownFiles {
  readonly marks: readonly { readonly path: string; readonly label: Label }[]
  /** The operator's own. */
  readonly own: readonly string[]
}

/** What reading brings in; null where nothing is known against it. */
export function labelOfFiles({ paths, found }: FileScopes, known: KnownFiles): Label | null {
  const labels = [
    ...[...paths, ...(found ?? [])].flatMap((path) => labelsOfPath(path, known)),
    ...(found === null ? [strangersOf('the workspace')] : []),
  ]
  return labels.reduce<Label | null>((joined, label) => joinLabels(joined ?? operatorLabel, label), null)
}

/** The path and every folder around it, up to the root that it belongs to. */
export function pathAndFolders(path: string): string[] {
  const root = path.startsWith('/') ? '/' : '.'
  const folders = [path]
  for (let folder = path; folder !== root && folder !== ''; ) {
    const end = folder.lastIndexOf('/')
    folder = end > 0 ? folder.slice(0, end) : root
    folders.push(folder)
  }
  return folders
}

function labelsOfPath(path: string, { marks, own }: KnownFiles): Label[] {
  const around = pathAndFolders(path)
  const deepest = around.find((folder) => own.includes(folder) || marks.some((mark) => mark.path === folder))
  const covering = marks.filter((mark) => mark.path === deepest)
  const inside = marks.filter((mark) => mark.path !== path && isBelow(mark.path, path))
  const labels = [...covering, ...inside].map(({ label }) => label)
  const isOwn = deepest !== undefined && own.includes(deepest)
  if (path.startsWith('/')) return isOwn ? labels : [...labels, strangersOf(path)]
  const foreign = foreignFolderOf(path)
  return !foreign || isOwnForeign(around, foreign, own) ? labels : [...labels, strangersOf(path)]
}

/** Packages and what was handed in are the operator's own only if they named that very folder or one in it. */
function isOwnForeign(
  around: readonly string[],
  { kind, path }: ForeignFolder,
  own: readonly string[],
): boolean {
  return around.some(
    (folder) => own.includes(folder) && (kind === 'history' || folder === path || isBelow(folder, path)),
  )
}

function isBelow(path: string, folder: string): boolean {
  if (folder === '.') return path !== '.' && !path.startsWith('/')
  return path.startsWith(folder.endsWith('/') ? folder : `${folder}/`)
}

function strangersOf(source: string): Label {
  return { integrity: 'untrusted', confidentiality: 'private', sources: [source] }
}
