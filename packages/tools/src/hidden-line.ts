/**
 * Owns the line that tells what was hidden from a program or a search. It stands in a result that may be trusted, and strangers may
 * have chosen names: a name is told only where it is short and plain, and otherwise counted.
 */
import { foreignFolderOf } from '@countersign/contract'

const mostNames = 3
/** Up to four short segments of up to three words each: enough for a name, too little for a sentence. */
const plainSegment = /^\.?[A-Za-z0-9]{1,16}(?:[-_.][A-Za-z0-9]{1,16}){0,2}$/
const mostSegments = 4

const ways = {
  program: 'Name one in the call to let it be read.',
  search: 'Read one with read_file, or name its folder as the path.',
} as const

/** Nothing where nothing is worth a line: packages and histories are told to a program that failed only. */
export function hiddenLine(paths: readonly string[], from: keyof typeof ways, failed: boolean): string {
  const folders = paths.filter((path) => {
    const { kind, path: folder } = foreignFolderOf(path) ?? {}
    return folder === path && (kind === 'packages' || kind === 'history')
  })
  const marked = paths.filter((path) => !folders.includes(path))
  const told = failed ? [...marked, ...folders] : marked
  if (told.length === 0) return ''
  const what =
    told.length === 1 ? '1 path that strangers wrote was' : `${told.length} paths that strangers wrote were`
  return `[${what} hidden from this ${from}${namesOf(told)}. ${ways[from]}]`
}

function namesOf(paths: readonly string[]): string {
  const named = paths.filter(isPlain).slice(0, mostNames)
  if (named.length === 0) return '; list_directory shows the names'
  const more = paths.length > named.length ? ' and others' : ''
  return `: ${named.join(', ')}${more}`
}

function isPlain(path: string): boolean {
  const segments = path.split('/')
  return segments.length <= mostSegments && segments.every((segment) => plainSegment.test(segment))
}
