/** Owns what a condition means. Pure and linear: a pattern is text with `*`, never a program. */
import type { JsonValue, PlanOperator } from '@countersign/contract'

/** Something that is missing is `undefined`, and nothing but `exists` can be asked of it. */
export function holds(
  operator: PlanOperator,
  left: JsonValue | undefined,
  right: JsonValue | undefined,
): boolean {
  if (operator === 'exists') return left !== undefined && left !== null && textOf(left).trim() !== ''
  if (left === undefined || right === undefined) return false
  switch (operator) {
    case 'equals':
      return same(left, right)
    case 'differs':
      return !same(left, right)
    case 'contains':
      return Array.isArray(left) ? left.some((each) => same(each, right)) : plain(left).includes(plain(right))
    case 'matches':
      return fits(plain(left), plain(right))
    case 'greater':
      return order(left, right) > 0
    case 'less':
      return order(left, right) < 0
  }
}

function same(left: JsonValue, right: JsonValue): boolean {
  const numbers = [numberIn(left), numberIn(right)]
  if (numbers[0] !== undefined && numbers[1] !== undefined) return numbers[0] === numbers[1]
  return plain(left) === plain(right)
}

/** Numbers as such, everything else as text, so that dates compare as they should. */
function order(left: JsonValue, right: JsonValue): number {
  const [first, second] = [numberIn(left), numberIn(right)]
  if (first !== undefined && second !== undefined) return first - second
  return plain(left) < plain(right) ? -1 : plain(left) > plain(right) ? 1 : 0
}

function numberIn(value: JsonValue): number | undefined {
  if (typeof value === 'number') return value
  if (typeof value !== 'string' || !/^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?\s*$/i.test(value))
    return undefined
  return Number(value)
}

function textOf(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

const plain = (value: JsonValue): string => textOf(value).trim().toLowerCase()

/** Goes back to the last star only, so it takes no more than the product of the two lengths. */
function fits(text: string, pattern: string): boolean {
  let at = 0
  let place = 0
  let star = -1
  let from = 0
  while (at < text.length) {
    if (pattern[place] === '*') {
      star = place
      from = at
      place += 1
    } else if (place < pattern.length && pattern[place] === text[at]) {
      at += 1
      place += 1
    } else if (star >= 0) {
      from += 1
      at = from
      place = star + 1
    } else return false
  }
  while (pattern[place] === '*') place += 1
  return place === pattern.length
}
