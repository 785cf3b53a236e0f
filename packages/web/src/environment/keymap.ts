/**
 * Owns how keys are written, matched and named, the same for the listener, the palette and the help overlay. Pure: it decides which binding a stroke means and runs nothing.
 */

import { words as common } from '../words/common.ts'
import { words } from '../words/frame.tsx'

/** `g a`, `mod+k`, `shift+y`, `?`, `escape`. `mod` is ⌘ on a Mac and Ctrl elsewhere. */
export type Keys = string

export interface KeyRow {
  readonly keys: Keys
  /** What it does, as an order: “Approve once”. */
  readonly label: string
}

export interface Binding extends KeyRow {
  readonly run: () => void
  /** Goes on while the key is held down, as moving through a list does. */
  readonly repeats?: boolean
  /** Works while a text is being typed. Only for what is not a plain character. */
  readonly typing?: boolean
}

/** What the matcher needs of a keyboard event; a `KeyboardEvent` is one. */
export interface KeyPress {
  readonly key: string
  readonly code: string
  readonly metaKey: boolean
  readonly ctrlKey: boolean
  readonly altKey: boolean
  readonly shiftKey: boolean
  /** Says of `AltGraph`, which has no field of its own. */
  readonly getModifierState?: (name: string) => boolean
}

/** The same letters mean the same in every list. */
export const listKeys = {
  next: { keys: 'j', label: common.keys.next },
  previous: { keys: 'k', label: common.keys.previous },
  open: { keys: 'o', label: common.keys.open },
  select: { keys: 'x', label: common.keys.select },
  filter: { keys: '/', label: common.keys.filter },
  back: { keys: 'escape', label: common.keys.back },
  copyCommand: { keys: 'shift+y', label: common.keys.copyCommand },
} as const satisfies Record<string, KeyRow>

/** One stroke in our notation, or undefined for a modifier alone. */
export function strokeOf(press: KeyPress, isMac: boolean): Keys | undefined {
  if (['Shift', 'Control', 'Alt', 'Meta', 'AltGraph', 'Dead', 'Process'].includes(press.key)) return undefined
  const mod = isMac ? press.metaKey : press.ctrlKey
  const other = isMac ? press.ctrlKey : press.metaKey
  if (other) return undefined
  const named = nameOf(press, mod)
  const printable = isOneCharacter(named)
  const alt = press.altKey || press.getModifierState?.('AltGraph') === true
  // Many keyboards write `[` or `$` only with Alt; a letter or a digit with it is another stroke than without.
  const showsAlt = alt && (mod || !printable || /^[\p{L}\p{N}]$/u.test(named))
  const showsShift = press.shiftKey && (mod || !printable || /^[a-z]$/.test(named))
  return `${mod ? 'mod+' : ''}${showsAlt ? 'alt+' : ''}${showsShift ? 'shift+' : ''}${named}`
}

export interface Match<B extends KeyRow> {
  readonly found: B | undefined
  /** What was begun and waits for its next stroke. */
  readonly pending: Keys
}

/**
 * Later bindings win: the innermost scope is registered last. A stroke that ends no sequence that was begun means
 * nothing: alone it might approve. It may begin another one.
 */
export function matchKeys<B extends KeyRow>(pending: Keys, stroke: Keys, bindings: readonly B[]): Match<B> {
  const whole = pending === '' ? stroke : `${pending} ${stroke}`
  const found = bindings.findLast((binding) => binding.keys === whole)
  if (found !== undefined) return { found, pending: '' }
  const begun = [whole, stroke].find((keys) =>
    bindings.some((binding) => binding.keys.startsWith(`${keys} `)),
  )
  return { found: undefined, pending: begun ?? '' }
}

/** Plain characters are off while typing and can be switched off (WCAG 2.1.4). */
export function isPlain(keys: Keys): boolean {
  return keys.split(' ').some((stroke) => isOneCharacter(stroke.replace(/^shift\+/, '')))
}

/** The keys as a person reads them: `⌘ K`, `Ctrl ⇧ .`, `g a`. */
export function keysForPeople(keys: Keys, isMac: boolean): string {
  return keys
    .split(' ')
    .map((stroke) =>
      stroke
        .split(/\+(?=.)/)
        .map((name) => nameForPeople(name, isMac))
        .join(isMac ? '' : ' '),
    )
    .join(' ')
}

/** For `aria-keyshortcuts`, which knows no sequences. */
export function keysForAria(keys: Keys, isMac: boolean): string | undefined {
  if (keys.includes(' ')) return undefined
  return keys
    .split(/\+(?=.)/)
    .map((name) =>
      name === 'mod' ? (isMac ? 'Meta' : 'Control') : `${name[0]?.toUpperCase()}${name.slice(1)}`,
    )
    .join('+')
}

function isOneCharacter(text: string): boolean {
  return /^.$/su.test(text)
}

/** With a modifier, and on a keyboard of other letters, the place of the key counts and not what it writes. */
function nameOf(press: KeyPress, mod: boolean): string {
  const letter = /^Key([A-Z])$/.exec(press.code)?.[1]?.toLowerCase()
  const foreign = isOneCharacter(press.key) && press.key.charCodeAt(0) > 0x7f
  if (letter !== undefined && foreign) return letter
  if (mod && press.shiftKey && press.code === 'Period') return '.'
  if (press.key === ' ') return 'space'
  return press.key.toLowerCase()
}

const macNames: Readonly<Record<string, string>> = { mod: '⌘', shift: '⇧', alt: '⌥' }
const otherNames: Readonly<Record<string, string>> = { mod: words.keys.control, shift: '⇧', alt: 'Alt' }
const keyNames: Readonly<Record<string, string>> = {
  escape: words.keys.escape,
  enter: '⏎',
  arrowleft: '←',
  arrowright: '→',
  arrowup: '↑',
  arrowdown: '↓',
  space: words.keys.space,
}

function nameForPeople(name: string, isMac: boolean): string {
  const modifier = (isMac ? macNames : otherNames)[name]
  return modifier ?? keyNames[name] ?? (/^[a-z]$/.test(name) ? name.toUpperCase() : name)
}
