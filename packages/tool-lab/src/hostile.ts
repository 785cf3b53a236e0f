/** Owns texts that are made to deceive a reader, and what of them must never reach a surface raw. */

export interface HostileText {
  readonly name: string
  readonly text: string
  /** What lies between the two marks. */
  readonly hidden: string
}

/** They stand around what is hostile, so that it can be found again wherever it is shown. */
export const marks = { before: 'mark1', after: 'mark2' } as const

const hidden: Readonly<Record<string, string>> = {
  'direction override': '\u202Etxt.exe\u202C',
  'direction isolate': '\u2066x\u2069',
  'zero-width space': '\u200B',
  'zero-width joiner': '\u200D',
  'byte order mark': '\uFEFF',
  'soft hyphen': '\u00AD',
  'tag characters': '\u{E0061}\u{E0062}',
  'terminal colour': '\u001B[31m',
  'terminal title': '\u001B]0;x\u0007',
  'one-byte terminal sequence': '\u009B2J',
  'carriage return': '\r',
  'line break': '\n',
  'line separator': '\u2028',
  'zero character': '\u0000',
  'Cyrillic letters': '\u0430\u0440\u0440\u04CF\u0435',
  'many blanks': ' '.repeat(200),
}

export const hostileTexts: readonly HostileText[] = Object.entries(hidden).map(([name, between]) => ({
  name,
  text: `${marks.before}${between}${marks.after}`,
  hidden: between,
}))

/** What no text for a surface may hold, besides line breaks and tabs. */
export const raw = new RegExp(
  '[\\u0000-\\u0008\\u000B-\\u001F\\u007F-\\u009F\\u00AD\\u061C\\u200B-\\u200F\\u2028-\\u202E' +
    '\\u2060-\\u2064\\u2066-\\u2069\\uFEFF\\u{E0000}-\\u{E007F}]',
  'u',
)

/** Lengths to try, longest first: the longest that a tool takes is shown. */
export const lengths = [100_000, 20_000, 4_000, 900, 200, 60] as const

/** Numbered words, so that what is missing of them can be counted. */
export function longText(length: number): { readonly text: string; readonly words: readonly string[] } {
  const words: string[] = []
  for (let size = 0; size + wordLength <= length; size += wordLength)
    words.push(`w${String(words.length).padStart(6, '0')}`)
  return { text: words.join(' '), words }
}

const wordLength = 8
export const numberedWord = /w\d{6}/g
