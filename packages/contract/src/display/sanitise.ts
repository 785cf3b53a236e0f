/**
 * Makes text safe to show on any surface: what would hide, reorder, overwrite or push away other text becomes a
 * visible escape such as ⟨U+202E⟩. Nothing is ever cut, the text can be told from its escapes, and sanitising twice
 * changes nothing more: a text that holds escapes is flagged as what they stand for, whoever wrote them.
 *
 * Zero-width joiners are always escaped, inside emoji and Indic or Persian words too: whether a given font joins
 * them cannot be known here, and where it does not they are invisible.
 */

export type DisplayFlag =
  | 'bidi'
  | 'zero-width'
  | 'homoglyph'
  | 'ansi'
  | 'padding'
  | 'control'
  | 'ignorable'
  | 'long'

export interface DisplayText {
  text: string
  /** Without repeats, in a fixed order. */
  flags: DisplayFlag[]
}

export interface DisplayOptions {
  /** Keep newlines and tabs; otherwise they are escaped like any control character. */
  multiline?: boolean
}

/** The longest displayed text, in UTF-16 code units, that does not count as long. */
export const LONG_DISPLAY = 4_096

/** The longest run of blanks, or of line breaks, that is shown as it is. */
export const LONGEST_BLANK_RUN = 8

/** The most combining marks shown on one base character. */
export const MOST_MARKS = 5

export function forDisplay(text: string, options: DisplayOptions = {}): DisplayText {
  const flags = new Set<DisplayFlag>()
  const multiline = options.multiline ?? false
  const notable = multiline ? NOTABLE_IN_LINES : NOTABLE_IN_LINE
  const visible = text.replace(notable, (run: string, blanks: string | undefined, offset: number) =>
    blanks === undefined ? escapeRun(run, offset, text, multiline, flags) : collapseBlanks(blanks, flags),
  )
  for (const [, point, times] of text.matchAll(ESCAPE)) flags.add(escapedFlag(point, times))
  const imitates = LOOKALIKE_TEXT.test(text)
  if (imitates) flags.add('homoglyph')
  const shown = imitates ? visible.replace(IMITATIONS, showImitations) : visible
  if (shown.length > LONG_DISPLAY) flags.add('long')
  return { text: shown, flags: inOrder(flags) }
}

/** Flags of several texts shown together. */
export function mergeFlags(...lists: readonly (readonly DisplayFlag[])[]): DisplayFlag[] {
  return inOrder(new Set(lists.flat()))
}

const FLAG_ORDER: readonly DisplayFlag[] = [
  'bidi',
  'zero-width',
  'homoglyph',
  'ansi',
  'padding',
  'control',
  'ignorable',
  'long',
]

function inOrder(flags: ReadonlySet<DisplayFlag>): DisplayFlag[] {
  return FLAG_ORDER.filter((flag) => flags.has(flag))
}

/**
 * Written out as ranges, not as Unicode properties, so that every engine escapes the same characters whatever
 * version of Unicode it knows: controls, lone surrogates, format characters, default-ignorables, separators,
 * private use and noncharacters.
 */
const UNSAFE =
  '\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u00ad\\u034f\\u0600-\\u0605\\u061c\\u06dd\\u070f' +
  '\\u0890\\u0891\\u08e2\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f' +
  '\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u3164\\ud800-\\udfff\\ue000-\\uf8ff\\ufdd0-\\ufdef\\ufe00-\\ufe0f' +
  '\\ufeff\\uffa0\\ufff0-\\ufffc\\ufffe\\uffff\\u{110bd}\\u{110cd}\\u{13430}-\\u{1343f}\\u{1bca0}-\\u{1bca3}\\u{1d159}' +
  '\\u{1d173}-\\u{1d17a}\\u{1fffe}\\u{1ffff}\\u{2fffe}\\u{2ffff}\\u{3fffe}\\u{3ffff}\\u{4fffe}\\u{4ffff}' +
  '\\u{5fffe}\\u{5ffff}\\u{6fffe}\\u{6ffff}\\u{7fffe}\\u{7ffff}\\u{8fffe}\\u{8ffff}\\u{9fffe}\\u{9ffff}' +
  '\\u{afffe}\\u{affff}\\u{bfffe}\\u{bffff}\\u{cfffe}\\u{cffff}\\u{dfffe}\\u{dffff}\\u{e0000}-\\u{e0fff}' +
  '\\u{efffe}-\\u{10ffff}'

/** Everything that shows as nothing but room; the braille blank is drawn as a space. */
const BLANKS = ' \\u00a0\\u1680\\u2000-\\u200a\\u202f\\u205f\\u2800\\u3000'

const NOTABLE_IN_LINE = new RegExp(`([${BLANKS}]{${LONGEST_BLANK_RUN + 1},})|[\\t\\n${UNSAFE}\\p{M}]+`, 'gu')
const NOTABLE_IN_LINES = new RegExp(`([\\t\\n${BLANKS}]{${LONGEST_BLANK_RUN + 1},})|[${UNSAFE}\\p{M}]+`, 'gu')
const LONG_BLANK = new RegExp(`[\\t${BLANKS}]{${LONGEST_BLANK_RUN + 1},}`, 'gu')
const UNSAFE_IN_LINE = new RegExp(`[\\t\\n${UNSAFE}]`, 'u')
export const UNSAFE_IN_LINES = new RegExp(`[${UNSAFE}]`, 'u')
/** An escape as it is written here: a code point, or how often a blank or a line break stands there. */
const ESCAPE = /⟨(?:U\+([0-9A-F]{4,6})|[␤␠])(×\d+)?⟩/gu
const NO_BASE = new RegExp(`^[\\t\\n⟩${BLANKS}]$`, 'u')
const PICTOGRAPH = /^\p{Extended_Pictographic}$/u
const KEYCAP_BASE = /^[0-9#*]$/

/** Greek letters drawn like Latin ones; μ, Ω or π beside a Latin letter is a unit or a symbol. */
const GREEK_LOOKALIKE = 'ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹϳαγικνορτυχϲ'
const FOREIGN_LOOKALIKE =
  `[${GREEK_LOOKALIKE}\\p{Script=Cyrillic}\\p{Script=Armenian}\\p{Script=Cherokee}\\p{Script=Coptic}` +
  '\\p{Script=Lisu}\\p{Script=Deseret}\\p{Script=Osage}]'
const BETWEEN_LETTERS = '[\\p{M}\\p{N}_]*'
/** Drawn like / \ . : or ! while being none of them. */
const PUNCTUATION_LOOKALIKE = '[\\u01c3\\u2024\\u2044\\u2215\\u2236\\u29f5\\u29f8\\ua789\\ufe68]'
/** Letters dressed up in mathematical styles, and the Kelvin sign. */
const STYLED_LETTER = '[\\u212a\\u{1d400}-\\u{1d7ff}]'

/** Letters of Cyrillic, Greek and Armenian that could each be Latin, as in аррӏе. */
export const LATIN_LIKE = 'аеорсухіїјѕһԁԛԝѵӏӕёαικνορτυχγωϲϳոսօցհզյգ'
/** A part of an address whose every letter could be Latin, before an ending that is. */
const IMITATED_LABEL =
  `(?<![-0-9${LATIN_LIKE}])(?=[-0-9${LATIN_LIKE}]{1,63}\\.[a-z]{2,})(?<=(?:://|@)(?:[^\\s/]{0,253}\\.)?)` +
  `[-0-9]{0,62}[${LATIN_LIKE}][-0-9${LATIN_LIKE}]{0,62}`

const LOOKALIKE_TEXT = new RegExp(
  [
    IMITATED_LABEL,
    `\\p{Script=Latin}${BETWEEN_LETTERS}${FOREIGN_LOOKALIKE}`,
    `${FOREIGN_LOOKALIKE}${BETWEEN_LETTERS}\\p{Script=Latin}`,
    `[A-Za-z]${PUNCTUATION_LOOKALIKE}[A-Za-z]`,
    STYLED_LETTER,
  ].join('|'),
  'u',
)

/** Where a text imitates another, what is looked at: imitated names, punctuation, and each word. */
const IMITATIONS = new RegExp(
  `(${IMITATED_LABEL}|(?<=[A-Za-z])${PUNCTUATION_LOOKALIKE}(?=[A-Za-z]))|[\\p{L}\\p{M}\\p{N}_]+`,
  'gu',
)
const FOREIGN_LETTERS = new RegExp(FOREIGN_LOOKALIKE, 'gu')
const STYLED_LETTERS = new RegExp(STYLED_LETTER, 'gu')
const LATIN_LETTER = /\p{Script=Latin}/u
const IMITATING = new RegExp(`^(?:${FOREIGN_LOOKALIKE}|${PUNCTUATION_LOOKALIKE}|${STYLED_LETTER})$`, 'u')

/** In a word that mixes scripts the letters that are not Latin are written out. */
function showImitations(word: string, name: string | undefined): string {
  if (name !== undefined) return writtenOut(name)
  const plain = word.replace(STYLED_LETTERS, escapeOf)
  return LATIN_LETTER.test(word) ? plain.replace(FOREIGN_LETTERS, escapeOf) : plain
}

/** Every character that is not of ASCII as its escape. */
export function writtenOut(text: string): string {
  return text.replace(/[^\0-\x7f]/gu, escapeOf)
}

function collapseBlanks(run: string, flags: Set<DisplayFlag>): string {
  const breaks = run.split('\n').length - 1
  if (breaks > LONGEST_BLANK_RUN) {
    flags.add('padding')
    return counted(run)
  }
  return run.replace(LONG_BLANK, (blanks) => {
    flags.add('padding')
    return counted(blanks)
  })
}

/** Each kind of blank by itself, so that the run can be told from what is shown. */
function counted(run: string): string {
  return run.replace(/(.)\1*/gsu, (same, blank: string) => {
    if (blank === ' ') return `⟨␠×${same.length}⟩`
    if (blank === '\n') return `⟨␤×${same.length}⟩`
    return `${escapeOf(blank).slice(0, -1)}×${same.length}⟩`
  })
}

/** Keeps combining marks that sit on a base and the VS16 of a plain emoji; escapes the rest. */
function escapeRun(
  run: string,
  offset: number,
  text: string,
  multiline: boolean,
  flags: Set<DisplayFlag>,
): string {
  const unsafe = multiline ? UNSAFE_IN_LINES : UNSAFE_IN_LINE
  let previous = characterBefore(text, offset)
  if (run.length <= MOST_MARKS && hasBase(previous) && !unsafe.test(run)) return run
  let shown = ''
  let at = offset
  let marks = 0
  for (const character of run) {
    at += character.length
    if (character === '\ufe0f' && isEmojiStyle(previous, text.charCodeAt(at))) {
      shown += character
    } else if (!unsafe.test(character) && hasBase(previous) && marks < MOST_MARKS) {
      shown += character
      marks += 1
    } else {
      flags.add(flagOf(character.codePointAt(0) ?? 0))
      shown += escapeOf(character)
      previous = '⟩'
      continue
    }
    previous = character
  }
  return shown
}

function hasBase(previous: string): boolean {
  return previous !== '' && !NO_BASE.test(previous)
}

function isEmojiStyle(previous: string, next: number): boolean {
  return PICTOGRAPH.test(previous) || (KEYCAP_BASE.test(previous) && next === 0x20e3)
}

function characterBefore(text: string, offset: number): string {
  if (offset === 0) return ''
  const pair = offset > 1 ? text.slice(offset - 2, offset) : ''
  return (pair.codePointAt(0) ?? 0) > 0xffff ? pair : text.charAt(offset - 1)
}

function escapeOf(character: string): string {
  const point = character.codePointAt(0) ?? 0
  return `⟨U+${point.toString(16).toUpperCase().padStart(4, '0')}⟩`
}

function escapedFlag(point: string | undefined, times: string | undefined): DisplayFlag {
  return point === undefined || times !== undefined ? 'padding' : flagOf(Number.parseInt(point, 16))
}

function flagOf(point: number): DisplayFlag {
  // ESC and the C1 codes that open a terminal sequence.
  if (point === 0x1b || point === 0x90 || point === 0x98 || (point >= 0x9b && point <= 0x9f)) return 'ansi'
  if (point < 0xa0 || point === 0x2028 || point === 0x2029) return 'control'
  if (point === 0x61c || point === 0x200e || point === 0x200f) return 'bidi'
  if ((point >= 0x202a && point <= 0x202e) || (point >= 0x2066 && point <= 0x2069)) return 'bidi'
  if ((point >= 0x200b && point <= 0x200d) || point === 0x2060 || point === 0x180e || point === 0xfeff) {
    return 'zero-width'
  }
  if ((point >= 0xd800 && point <= 0xf8ff) || (point >= 0xfdd0 && point <= 0xfdef)) return 'control'
  if ((point & 0xfffe) === 0xfffe || point >= 0xf0000) return 'control'
  if (IMITATING.test(String.fromCodePoint(point))) return 'homoglyph'
  return 'ignorable'
}
