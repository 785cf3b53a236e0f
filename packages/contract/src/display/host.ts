/**
 * Shows a host name in both of its forms, and flags one whose letters could be taken for others and writes those out. Hosts arrive in
 * ASCII; a label that does not decode is shown as it came and flagged, since nobody can read it.
 */

import { decodePunycode } from './punycode.ts'
import { type DisplayFlag, forDisplay, LATIN_LIKE, mergeFlags, writtenOut } from './sanitise.ts'

export interface HostDisplay {
  /** The one string to show: both forms when they differ. */
  text: string
  unicode: string
  punycode: string
  flags: DisplayFlag[]
}

export function displayHost(host: string): HostDisplay {
  const labels = host.split('.').map(readLabel)
  const given = forDisplay(host)
  const unicode = forDisplay(
    labels.map((label) => (label.deceptive ? writtenOut(label.unicode) : label.unicode)).join('.'),
  )
  const deceptive: DisplayFlag[] = labels.some((label) => label.deceptive) ? ['homoglyph'] : []
  return {
    text: unicode.text === given.text ? given.text : `${unicode.text} (${given.text})`,
    unicode: unicode.text,
    punycode: given.text,
    flags: mergeFlags(given.flags, unicode.flags, deceptive),
  }
}

interface HostLabel {
  unicode: string
  deceptive: boolean
}

function readLabel(label: string): HostLabel {
  if (!label.toLowerCase().startsWith('xn--')) return { unicode: label, deceptive: isDeceptive(label) }
  const decoded = decodePunycode(label.slice(4))
  if (decoded === undefined || isAscii(decoded)) return { unicode: label, deceptive: true }
  return { unicode: decoded, deceptive: isDeceptive(decoded) }
}

function isDeceptive(label: string): boolean {
  if (isAscii(label)) return false
  return (
    !WRITTEN.test(label) ||
    LATIN_LOOKALIKE.test(label) ||
    ALL_LOOKALIKE.test(label) ||
    !WRITING_SYSTEMS.some((system) => system.test(label))
  )
}

function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) > 0x7f) return false
  return true
}

/** What a label may be written with at all; a slash or a dot look-alike is none of these. */
const WRITTEN = /^[\p{L}\p{M}\p{N}\-・·]*$/u

/** Letters and numerals that are drawn like plain Latin letters. */
const LATIN_LOOKALIKE = /[ıȷɑɡɩɪʟʀʏᴀ-ᴢꜰꜱǀ-ǃⅠ-ⅿℓ\uff00-\uff5e\u{1d400}-\u{1d7ff}]/u

/** A label whose every letter could be Latin. */
const ALL_LOOKALIKE = new RegExp(`^[-0-9${LATIN_LIKE}]+$`, 'u')

const SINGLE_SCRIPTS = [
  'Latin',
  'Greek',
  'Cyrillic',
  'Armenian',
  'Georgian',
  'Hebrew',
  'Arabic',
  'Thaana',
  'Devanagari',
  'Bengali',
  'Gurmukhi',
  'Gujarati',
  'Oriya',
  'Tamil',
  'Telugu',
  'Kannada',
  'Malayalam',
  'Sinhala',
  'Thai',
  'Lao',
  'Tibetan',
  'Myanmar',
  'Khmer',
  'Ethiopic',
]

/** Scripts that one language mixes within a word. */
const MIXED_SCRIPTS = [
  ['Latin', 'Han', 'Hiragana', 'Katakana'],
  ['Latin', 'Han', 'Bopomofo'],
  ['Latin', 'Han', 'Hangul'],
]

const WRITING_SYSTEMS = [...SINGLE_SCRIPTS.map((script) => [script]), ...MIXED_SCRIPTS].map((scripts) => {
  const named = [...scripts, 'Common', 'Inherited'].map((script) => `\\p{Script=${script}}`).join('')
  return new RegExp(`^[${named}]*$`, 'u')
})
