/** Makes arguments that a JSON Schema forbids, each from allowed ones by one change, and says what the change was. */
import type { JsonObject, JsonValue } from '@countersign/contract'
import { expressionOf } from './pattern-text.ts'
import {
  choicesOf,
  createSchemaReader,
  isObject,
  listAt,
  numberAt,
  objectAt,
  type SchemaReader,
} from './schema.ts'
import type { SeededRandom } from './seeded-random.ts'

export interface Violation {
  readonly value: JsonValue
  /** What is wrong with it, as in “count: below 1”. */
  readonly why: string
}

export interface ViolationOptions {
  /** A parameter that has a limit: left out it is filled in, and too high it is brought down. */
  readonly limited?: string | undefined
}

/** Nothing if the change that chance chose cannot be made here. */
export function violate(
  root: JsonObject,
  allowed: JsonObject,
  random: SeededRandom,
  options: ViolationOptions = {},
): Violation | undefined {
  const wrongs = wrongsOf(root, allowed, [], createSchemaReader(root)).filter(
    ({ path, isForgiven }) => !(isForgiven && path.length === 1 && path[0] === options.limited),
  )
  const [first, ...others] = [...wrongs, ...notObjects]
  if (first === undefined) return undefined
  const { path, value, why } = random.pick([first, ...others])
  const where = path.join('.')
  return { value: put(allowed, path, value), why: where === '' ? why : `${where}: ${why}` }
}

type PathStep = string | number

interface WrongValue {
  readonly path: readonly PathStep[]
  /** Undefined takes the member away. */
  readonly value: JsonValue | undefined
  readonly why: string
  /** The limit of a parameter makes it right. */
  readonly isForgiven?: boolean
}

const notObjects: readonly WrongValue[] = [null, [], 'text', 5, true].map((value) => ({
  path: [],
  value,
  why: `${JSON.stringify(value)} instead of an object`,
}))

function wrongsOf(
  given: JsonObject,
  value: JsonValue,
  path: readonly PathStep[],
  reader: SchemaReader,
): WrongValue[] {
  const schema = reader.follow(given)
  // Which of several choices a value was made for is not known, so nothing below it is surely wrong.
  if (choicesOf(schema).length > 0) return []
  const wrong = (bad: JsonValue | undefined, why: string, isForgiven = false): WrongValue => ({
    path,
    value: bad,
    why,
    isForgiven,
  })
  const found: WrongValue[] = otherTypes(schema).map((bad) =>
    wrong(bad, `${JSON.stringify(bad)} is of another type`),
  )
  const members = listAt(schema, 'enum')
  if (members.length > 0 && members.every((member) => typeof member === 'string'))
    found.push(wrong('no_such_choice', 'not one of the choices'))
  if (typeof value === 'number') found.push(...numberWrongs(schema, wrong))
  if (typeof value === 'string') found.push(...textWrongs(schema, wrong))
  if (Array.isArray(value)) found.push(...listWrongs(schema, value, wrong))
  if (Array.isArray(value))
    for (const [place, item] of value.slice(0, 3).entries())
      found.push(...wrongsOf(objectAt(schema, 'items'), item, [...path, place], reader))
  if (isObject(value)) found.push(...objectWrongs(schema, value, path, reader))
  return found
}

type MakeWrong = (bad: JsonValue | undefined, why: string, isForgiven?: boolean) => WrongValue

const examples: Readonly<Record<string, JsonValue>> = {
  string: 'text',
  number: 0.5,
  boolean: true,
  array: [],
  object: {},
  null: null,
}

function otherTypes({ type }: JsonObject): JsonValue[] {
  const types = (Array.isArray(type) ? type : [type]).map(String)
  if (type === undefined) return []
  return Object.entries(examples)
    .filter(([name]) => !types.includes(name))
    .map(([, value]) => value)
}

function numberWrongs(schema: JsonObject, wrong: MakeWrong): WrongValue[] {
  const least = numberAt(schema, 'minimum')
  const most = numberAt(schema, 'maximum')
  return [
    ...(least === undefined ? [] : [wrong(least - 1, `below ${least}`)]),
    ...(most === undefined ? [] : [wrong(most + 1, `above ${most}`, true)]),
  ]
}

const longestExcess = 200_000

function textWrongs(schema: JsonObject, wrong: MakeWrong): WrongValue[] {
  const least = numberAt(schema, 'minLength') ?? 0
  const most = numberAt(schema, 'maxLength') ?? longestExcess
  const fits = typeof schema.pattern === 'string' ? expressionOf(schema.pattern) : undefined
  const misfit = fits && ['\u0000', ' not fit ', '#', ''].find((text) => !fits.test(text))
  return [
    ...(least > 0 ? [wrong('x'.repeat(least - 1), `shorter than ${least}`)] : []),
    ...(most < longestExcess ? [wrong('x'.repeat(most + 1), `longer than ${most}`)] : []),
    ...(misfit === undefined ? [] : [wrong(misfit, `${JSON.stringify(misfit)} does not fit the pattern`)]),
  ]
}

function listWrongs(schema: JsonObject, value: readonly JsonValue[], wrong: MakeWrong): WrongValue[] {
  const least = numberAt(schema, 'minItems') ?? 0
  const most = numberAt(schema, 'maxItems') ?? longestExcess
  const [first] = value
  const tooMany =
    first !== undefined && most < 2_000 ? Array.from({ length: most + 1 }, () => first) : undefined
  return [
    ...(least > 0 ? [wrong([], `fewer than ${least} items`)] : []),
    ...(tooMany ? [wrong(tooMany, `more than ${most} items`)] : []),
  ]
}

function objectWrongs(
  schema: JsonObject,
  value: JsonObject,
  path: readonly PathStep[],
  reader: SchemaReader,
): WrongValue[] {
  const properties = objectAt(schema, 'properties')
  const below = Object.entries(value).flatMap(([name, member]) =>
    isObject(properties[name]) ? wrongsOf(objectAt(properties, name), member, [...path, name], reader) : [],
  )
  const missing = listAt(schema, 'required')
    .map(String)
    .map((name) => ({ path: [...path, name], value: undefined, why: 'left out', isForgiven: true }))
  const extra =
    schema.additionalProperties === false
      ? [{ path: [...path, 'never_heard_of'], value: 'x', why: 'an unknown member' }]
      : []
  return [...below, ...missing, ...extra]
}

export function put(value: JsonValue, path: readonly PathStep[], bad: JsonValue | undefined): JsonValue {
  const [step, ...rest] = path
  if (step === undefined) return bad ?? null
  if (Array.isArray(value)) {
    return value.map((item, place) => (place === step ? put(item, rest, bad) : item))
  }
  const members = isObject(value) ? value : {}
  const others = Object.entries(members).filter(([name]) => name !== step)
  if (rest.length === 0 && bad === undefined) return Object.fromEntries(others)
  return Object.fromEntries([...others, [String(step), put(members[step] ?? {}, rest, bad)]])
}
