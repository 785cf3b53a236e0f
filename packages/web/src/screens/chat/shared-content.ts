/**
 * Owns what of a share is taken into the composer. Whoever shared it wrote it, not the person: it goes as a file, which is
 * not believed, unless the person makes it their own words. Refuses what models and people here have no use for. Pure.
 */

export interface SharedContent {
  /** Title, words and address, each on a line; empty where nothing was said. */
  readonly text: string
  readonly files: readonly File[]
  /** Names of what was left out, for its type. */
  readonly refused: readonly string[]
}

/** What somebody else wrote becomes the person's words only where all of it is before their eyes. */
const longestWords = 500
const mostLinesOfWords = 6
/** A tap or a key that was meant for the page or the app before comes sooner. */
export const lookMs = 1_000

export function mayBeWords(text: string): boolean {
  return text.length <= longestWords && text.split('\n').length <= mostLinesOfWords
}

/** Another app, or a page that posts as one would, chooses the moment in which a share appears: nobody sends it unseen. */
export function isSeen(files: readonly { readonly sharedAt?: number }[], now: number): boolean {
  return files.every(({ sharedAt }) => sharedAt === undefined || now - sharedAt >= lookMs)
}

/** As long as a message may be. */
const longestText = 100_000
const taken: readonly string[] = [
  'image/png',
  'image/jpeg',
  'image/webp',
  'image/gif',
  'image/heic',
  'image/heif',
  'application/pdf',
  'text/plain',
  'text/markdown',
  'text/csv',
]

export function sharedContent(form: FormData): SharedContent {
  const said = ['title', 'text', 'url']
    .map((name) => form.get(name))
    .filter((value) => typeof value === 'string')
    .map(plain)
    .filter((value) => value !== '')
  // An app that shares a page often says its address twice.
  const lines = said.filter(
    (value, at) => !said.some((other, before) => before > at && other.includes(value)),
  )
  const files = form.getAll('files').filter((value) => value instanceof File)
  const named = files.map((file) => ({ file, name: plainName(file.name) }))
  return {
    text: lines.join('\n').slice(0, longestText).toWellFormed(),
    files: named.filter(({ file }) => isTaken(file)).map(({ file, name }) => renamed(file, name)),
    refused: named.filter(({ file }) => !isTaken(file)).map(({ name }) => name),
  }
}

function isTaken({ type }: File): boolean {
  return taken.includes(type.split(';', 1)[0]?.trim().toLowerCase() ?? '')
}

/** Control characters say nothing to anybody; everything else stays, and is shown by the rules for foreign text. */
function plain(text: string): string {
  return text.replaceAll(/[^\P{Cc}\n\t]/gu, '').trim()
}

/** The last part of it: a folder of another device is none here. */
function plainName(name: string): string {
  return plain(name.split(/[/\\]/).at(-1) ?? '').replaceAll(/\s+/g, ' ') || 'file'
}

function renamed(file: File, name: string): File {
  return name === file.name ? file : new File([file], name, { type: file.type })
}
