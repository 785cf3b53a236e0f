/**
 * Owns the values that must never be seen, and the eye that looks for them. All share a core that occurs nowhere else,
 * so that a value is found even where only a part of it was left. Spells every encoding itself, not with the product's.
 */
import type { Random } from '../../../../../packages/executor/src/testing/random.ts'

export interface Canary {
  readonly name: string
  readonly value: string
}

export interface Canaries {
  readonly all: readonly Canary[]
  /** Every way in which the core of a value stands in the text, with its place. */
  seenIn(text: string): string[]
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

export function createCanaries(count: number, random: Random): Canaries {
  const core = word(random, 12)
  const all = Array.from({ length: count }, (_, at) => ({
    name: at % 3 === 0 ? `service-${at}.token` : `canary-${at}`,
    value: shapes[at % shapes.length]?.(core, word(random, 8 + (at % 20))) ?? '',
  }))
  const traces = tracesOf(core)
  return {
    all,
    seenIn: (text) =>
      Object.entries(traces).flatMap(([encoding, trace]) => {
        const at = text.indexOf(trace)
        return at < 0 ? [] : [`${encoding}: …${text.slice(Math.max(0, at - 40), at + trace.length + 20)}…`]
      }),
  }
}

export function word(random: Random, length: number): string {
  return Array.from({ length }, () => letters[random.below(letters.length)]).join('')
}

const shapes: readonly ((core: string, rest: string) => string)[] = [
  (core, rest) => `${core}${rest}`,
  (core, rest) => `p@ss "${core}" \\ /${rest}/ ü<&>'`,
  (core, rest) => `${rest}+/${core}/+==`,
  (core, rest) => `-----BEGIN KEY-----\n${core}\n${rest}\n-----END KEY-----`,
  (core, rest) => `ключ-${core}-漢字-${rest}-🔑`,
  (core, rest) => `postgres://ana:${core}${rest}@db.example/main?x=1&y=%20`,
  (core, rest) => `${rest.slice(0, 5)}:${core}!'()*~`,
]

/** The forms in which a service may send a value back. */
export function formsOf(value: string): Record<string, string> {
  const bytes = new TextEncoder().encode(value)
  const each = (spell: (byte: string) => string) =>
    Array.from(bytes, (byte) => spell(byte.toString(16).padStart(2, '0'))).join('')
  const base64 = base64Of(bytes)
  const json = JSON.stringify(value).slice(1, -1)
  const ascii = json.replaceAll(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  return {
    plain: value,
    base64,
    'base64 without padding': base64.replaceAll('=', ''),
    base64url: base64.replaceAll('=', '').replaceAll('+', '-').replaceAll('/', '_'),
    'base64 behind one byte': base64Of(new TextEncoder().encode(`:${value}`)),
    'base64 behind two bytes': base64Of(new TextEncoder().encode(`u:${value} `)),
    'basic authorisation': base64Of(new TextEncoder().encode(`ana:${value}`)),
    'base64 of JSON': base64Of(
      new TextEncoder().encode(`{"a":1,"token":${JSON.stringify({ x: 1 })},"v":"x${value}y"}`),
    ),
    hex: each((byte) => byte),
    'upper case hex': each((byte) => byte.toUpperCase()),
    percent: encodeURIComponent(value),
    'percent in lower case': encodeURIComponent(value).replaceAll(/%../g, (code) => code.toLowerCase()),
    'percent of every byte': each((byte) => `%${byte.toUpperCase()}`),
    'percent of every byte in lower case': each((byte) => `%${byte}`),
    form: encodeURIComponent(value)
      .replaceAll('%20', '+')
      .replaceAll(/[!'()~]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`),
    json,
    'json in ascii': ascii,
    'json with escaped slashes': json.replaceAll('/', '\\/'),
    'json in json': JSON.stringify(json).slice(1, -1),
    html: value
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
      .replaceAll("'", '&#39;'),
  }
}

function tracesOf(core: string): Record<string, string> {
  const bytes = new TextEncoder().encode(core)
  const hex = Array.from(bytes, (byte) => byte.toString(16)).join('')
  const percent = Array.from(bytes, (byte) => `%${byte.toString(16)}`).join('')
  const inner = (offset: number) => {
    const text = base64Of(new TextEncoder().encode(`${'\0'.repeat(offset)}${core}`))
    return text.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + core.length) * 8) / 6))
  }
  return {
    plain: core,
    hex,
    'upper case hex': hex.toUpperCase(),
    percent: percent.toUpperCase(),
    'percent in lower case': percent,
    base64: inner(0),
    'base64 at one': inner(1),
    'base64 at two': inner(2),
  }
}

function base64Of(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}
