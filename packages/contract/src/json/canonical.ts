/**
 * Writes a JSON value as its one canonical text (RFC 8785). Refuses any value that JSON cannot carry whole, where
 * a serialiser would drop, call or convert something.
 */

import canonicalize from 'canonicalize'
import type { JsonValue } from './value.ts'

export class NotCanonical extends TypeError {
  override readonly name = 'NotCanonical'
  /** Keys and indexes that lead to what was refused. */
  readonly path: readonly (string | number)[]

  constructor(reason: string, path: readonly (string | number)[]) {
    super(path.length === 0 ? reason : `${reason} at ${path.map((step) => JSON.stringify(step)).join('.')}`)
    this.path = path
  }
}

/** Deep enough for any record that wraps parsed input, shallow enough never to exhaust the stack. */
export const MAX_CANONICAL_DEPTH = 512

/**
 * Any finite double is written as RFC 8785 says, negative zero as `0`. Integers that a reader would refuse as
 * unsafe are the reader's concern.
 */
export function canonicalText(value: JsonValue): string {
  requireJson(value, [], [])
  const text = canonicalize(value)
  if (text === undefined) throw new NotCanonical('value has no JSON form', [])
  return text
}

function requireJson(value: unknown, path: (string | number)[], open: object[]): void {
  switch (typeof value) {
    case 'boolean':
      return
    case 'string':
      if (!value.isWellFormed()) throw new NotCanonical('lone surrogate in a string', [...path])
      return
    case 'number':
      if (!Number.isFinite(value)) throw new NotCanonical(`${value} is not a JSON number`, [...path])
      return
    case 'object':
      if (value !== null) requireContainer(value, path, open)
      return
    default:
      throw new NotCanonical(`${typeof value} is not a JSON value`, [...path])
  }
}

function requireContainer(value: object, path: (string | number)[], open: object[]): void {
  if (open.includes(value)) throw new NotCanonical('value contains itself', [...path])
  if (open.length >= MAX_CANONICAL_DEPTH) throw new NotCanonical('value is nested too deep', [...path])
  open.push(value)
  if (Array.isArray(value)) requireArray(value, path, open)
  else requireObject(value, path, open)
  open.pop()
}

function requireArray(value: readonly unknown[], path: (string | number)[], open: object[]): void {
  if (Object.getPrototypeOf(value) !== Array.prototype) {
    throw new NotCanonical('array is not a plain array', [...path])
  }
  requireOwnData(value, Object.keys(value), value.length + 1, path)
  for (const [index, item] of value.entries()) {
    path.push(index)
    if (!Object.hasOwn(value, index)) throw new NotCanonical('array has a hole', [...path])
    requireJson(item, path, open)
    path.pop()
  }
}

function requireObject(value: object, path: (string | number)[], open: object[]): void {
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) {
    throw new NotCanonical('object is not a plain object', [...path])
  }
  const keys = Object.keys(value)
  requireOwnData(value, keys, keys.length, path)
  for (const key of keys) {
    path.push(key)
    if (!key.isWellFormed()) throw new NotCanonical('lone surrogate in a key', [...path])
    requireJson((value as Record<string, unknown>)[key], path, open)
    path.pop()
  }
}

/** Hidden members would be dropped, and an accessor could answer differently the second time it is read. */
function requireOwnData(value: object, keys: string[], members: number, path: (string | number)[]): void {
  if (Reflect.ownKeys(value).length !== members) {
    throw new NotCanonical('value has members that JSON would drop', [...path])
  }
  for (const key of keys) {
    if (Object.getOwnPropertyDescriptor(value, key)?.get !== undefined) {
      throw new NotCanonical('member is computed, not data', [...path, key])
    }
  }
}
