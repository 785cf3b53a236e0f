/**
 * A second RFC 8785 writer that shares nothing with the one under test: numbers are laid out from their shortest
 * decimal digits, keys are compared unit by unit, strings are escaped character by character.
 */

import type { JsonValue } from '@countersign/contract'

export type KeyOrder = (left: string, right: string) => number

export function referenceText(value: JsonValue, order: KeyOrder = byCodeUnit): string {
  if (value === null) return 'null'
  switch (typeof value) {
    case 'boolean':
      return value ? 'true' : 'false'
    case 'number':
      return numberText(value)
    case 'string':
      return stringText(value)
    default:
      break
  }
  let parts = ''
  if (Array.isArray(value)) {
    for (const item of value) parts += `${parts === '' ? '' : ','}${referenceText(item, order)}`
    return `[${parts}]`
  }
  for (const [key, member] of Object.entries(value).sort(([left], [right]) => order(left, right))) {
    parts += `${parts === '' ? '' : ','}${stringText(key)}:${referenceText(member, order)}`
  }
  return `{${parts}}`
}

export function byCodeUnit(left: string, right: string): number {
  const shared = Math.min(left.length, right.length)
  for (let at = 0; at < shared; at += 1) {
    const difference = left.charCodeAt(at) - right.charCodeAt(at)
    if (difference !== 0) return difference
  }
  return left.length - right.length
}

/** Wrong on purpose: puts U+E000 to U+FFFF before the characters that need a surrogate pair. */
export function byCodePoint(left: string, right: string): number {
  const rightPoints = Array.from(right)
  let at = 0
  for (const character of left) {
    const other = rightPoints[at]
    if (other === undefined) return 1
    const difference = (character.codePointAt(0) ?? 0) - (other.codePointAt(0) ?? 0)
    if (difference !== 0) return difference
    at += 1
  }
  return at - rightPoints.length
}

/** Lays out digits and exponent as ECMAScript's Number::toString prescribes. */
export function numberText(value: number): string {
  if (!Number.isFinite(value)) throw new RangeError(`${value} has no JSON form`)
  if (value === 0) return '0'
  if (value < 0) return `-${numberText(-value)}`
  const { digits, exponent } = shortestDigits(value)
  const count = digits.length
  const point = exponent + 1
  if (count <= point && point <= 21) return digits + '0'.repeat(point - count)
  if (point > 0 && point <= 21) return `${digits.slice(0, point)}.${digits.slice(point)}`
  if (point > -6 && point <= 0) return `0.${'0'.repeat(-point)}${digits}`
  const fraction = count === 1 ? '' : `.${digits.slice(1)}`
  return `${digits.charAt(0)}${fraction}e${exponent < 0 ? '-' : '+'}${Math.abs(exponent)}`
}

interface Decimal {
  /** Significant digits without trailing zeros; the first stands before the point. */
  digits: string
  exponent: number
}

/**
 * Fewest digits that read back as the same double. Rounding to `count` digits gives the nearest decimal of that
 * length; at a power of two, where the gap below is half the gap above, only its neighbour may read back.
 */
function shortestDigits(value: number): Decimal {
  const from = Number(value.toExponential(14)) === value ? 1 : 15
  for (let count = from; count <= 17; count += 1) {
    const nearest = roundedTo(value, count)
    if (readsBack(nearest, value)) return trimmed(tieToEven(value, nearest))
    for (const neighbour of [stepped(nearest, 1), stepped(nearest, -1)]) {
      if (neighbour.digits.length === count && readsBack(neighbour, value)) return trimmed(neighbour)
    }
  }
  throw new Error(`no decimal of 17 digits reads back as ${value}`)
}

function roundedTo(value: number, count: number): Decimal {
  const [mantissa = '', exponent = ''] = value.toExponential(count - 1).split('e')
  return { digits: mantissa.replace('.', ''), exponent: Number(exponent) }
}

function readsBack(decimal: Decimal, value: number): boolean {
  return Number(`${decimal.digits.charAt(0)}.${decimal.digits.slice(1)}0e${decimal.exponent}`) === value
}

function stepped(decimal: Decimal, step: number): Decimal {
  return { digits: String(BigInt(decimal.digits) + BigInt(step)), exponent: decimal.exponent }
}

/** Rounding takes the upper of two equally near decimals; the standard asks for the even one. */
function tieToEven(value: number, nearest: Decimal): Decimal {
  if (Number(nearest.digits.at(-1)) % 2 === 0) return nearest
  const exact = roundedTo(value, 101)
  const lower = stepped(nearest, -1)
  const isTie = exact.exponent === nearest.exponent && /^50*$/.test(exact.digits.slice(nearest.digits.length))
  return isTie && exact.digits.startsWith(lower.digits) && readsBack(lower, value) ? lower : nearest
}

function trimmed(decimal: Decimal): Decimal {
  return { digits: decimal.digits.replace(/0+$/, ''), exponent: decimal.exponent }
}

function stringText(value: string): string {
  let text = '"'
  for (let at = 0; at < value.length; at += 1) {
    const unit = value.charCodeAt(at)
    const character = value.charAt(at)
    if (unit === 0x22 || unit === 0x5c) text += `\\${character}`
    else if (unit >= 0x20) text += character
    else text += SHORT_ESCAPES[unit] ?? `\\u00${unit < 16 ? '0' : '1'}${(unit % 16).toString(16)}`
  }
  return `${text}"`
}

const SHORT_ESCAPES: Readonly<Record<number, string>> = {
  8: '\\b',
  9: '\\t',
  10: '\\n',
  12: '\\f',
  13: '\\r',
}
