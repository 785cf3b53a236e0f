/**
 * Owns what a case expects. The cases are run by our own tests and, in the lab, on the adapter of an author who has no test
 * runner of ours.
 */
import { isDeepStrictEqual } from 'node:util'

export interface Expectation {
  readonly not: Expectation
  toBe(expected: unknown): void
  toEqual(expected: unknown): void
  /** It has at least what is expected, at every depth. */
  toMatchObject(expected: object): void
  /** Of a text a part, of a list an element. */
  toContain(expected: unknown): void
  toMatch(expected: RegExp): void
  toBeGreaterThan(expected: number): void
  toBeGreaterThanOrEqual(expected: number): void
  toBeLessThanOrEqual(expected: number): void
  toBeNull(): void
}

export function expect(actual: unknown): Expectation {
  return expectation(actual, false)
}

function expectation(actual: unknown, isNegated: boolean): Expectation {
  const check = (isSo: boolean, relation: string, expected?: unknown) => {
    if (isSo === isNegated)
      throw new Error(
        `${shown(actual)} ${isNegated ? 'must not' : 'does not'} ${relation} ${expected === undefined ? '' : shown(expected)}`.trim(),
      )
  }
  const number = Number(actual)
  return {
    get not() {
      return expectation(actual, !isNegated)
    },
    toBe: (expected) => check(Object.is(actual, expected), 'be', expected),
    toEqual: (expected) => check(isDeepStrictEqual(plain(actual), plain(expected)), 'equal', expected),
    toMatchObject: (expected) => check(holds(plain(actual), plain(expected)), 'have', expected),
    toContain: (expected) => check(contains(actual, expected), 'contain', expected),
    toMatch: (expected) => check(expected.test(String(actual)), 'match', String(expected)),
    toBeGreaterThan: (expected) => check(number > expected, 'exceed', expected),
    toBeGreaterThanOrEqual: (expected) => check(number >= expected, 'reach', expected),
    toBeLessThanOrEqual: (expected) => check(number <= expected, 'stay within', expected),
    toBeNull: () => check(actual === null, 'be null'),
  }
}

const shown = (value: unknown): string => (JSON.stringify(plain(value)) ?? String(value)).slice(0, 500)

/** Without what is undefined, and with bytes as bytes whatever holds them. */
function plain(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64')
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, each]) => (each === undefined ? [] : [[key, plain(each)]])),
  )
}

function holds(actual: unknown, expected: unknown): boolean {
  if (typeof expected !== 'object' || expected === null) return Object.is(actual, expected)
  if (typeof actual !== 'object' || actual === null || Array.isArray(actual) !== Array.isArray(expected))
    return false
  if (Array.isArray(expected) && expected.length !== (actual as readonly unknown[]).length) return false
  return Object.entries(expected).every(([key, each]) =>
    holds((actual as Record<string, unknown>)[key], each),
  )
}

function contains(actual: unknown, expected: unknown): boolean {
  if (typeof actual === 'string') return actual.includes(String(expected))
  return Array.isArray(actual) && actual.some((each) => Object.is(each, expected))
}
