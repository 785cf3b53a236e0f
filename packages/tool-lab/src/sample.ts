/**
 * Makes arguments that a JSON Schema allows, ordinary ones and ones at its edges. What only the code of a tool knows,
 * such as the rule behind a refinement, it cannot see.
 */
import type { JsonObject, JsonValue } from '@countersign/contract'
import { textFor } from './pattern-text.ts'
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

export interface Sampler {
  /** Nothing where the schema has a part that cannot be made up. */
  sample(): JsonObject | undefined
}

export function createSampler(root: JsonObject, random: SeededRandom): Sampler {
  const reader = createSchemaReader(root)
  return {
    sample() {
      const made = valueFor(root, { reader, random, depth: 0, atEdge: random.chance(35) })
      return made.kind === 'made' && isObject(made.value) ? made.value : undefined
    },
  }
}

/** Names that the workspace of a test holds, so that a made-up path sometimes leads somewhere. */
export const knownFiles: Readonly<Record<string, string>> = {
  'a.txt': 'one two\nthree\n',
  'notes/b.md': '# Notes\n\nA *short* note.\n',
  'data.csv': 'name,count\nleft,1\nright,2\n',
}

interface ValueRequest {
  readonly reader: SchemaReader
  readonly random: SeededRandom
  readonly depth: number
  readonly atEdge: boolean
}

type MadeValue = { readonly kind: 'made'; readonly value: JsonValue } | { readonly kind: 'impossible' }

const impossible: MadeValue = { kind: 'impossible' }
const made = (value: JsonValue): MadeValue => ({ kind: 'made', value })
const deepest = 12

function valueFor(given: JsonObject, making: ValueRequest): MadeValue {
  const { reader, random, depth } = making
  const schema = reader.follow(given)
  if (depth > deepest) return impossible
  if (schema.const !== undefined) return made(schema.const)
  const [first, ...others] = listAt(schema, 'enum')
  if (first !== undefined) return made(random.pick([first, ...others]))
  if (schema.default !== undefined && random.chance(20)) return made(schema.default)
  const choices = choicesOf(schema)
  if (choices.length > 0) return choiceOf(choices, making)
  switch (typeOf(schema, random)) {
    case 'object':
      return objectFor(schema, making)
    case 'array':
      return listFor(schema, making)
    case 'string':
      return stringFor(schema, making)
    case 'integer':
      return made(integerFor(schema, making))
    case 'number':
      return made(numberFor(schema, making))
    case 'boolean':
      return made(random.chance(50))
    case 'null':
      return made(null)
    default:
      return made(random.pick(anything))
  }
}

const anything: readonly [JsonValue, ...JsonValue[]] = ['text', 7, true, null, [], {}, { a: [1, 'b'] }]

function typeOf({ type }: JsonObject, random: SeededRandom): JsonValue | undefined {
  if (!Array.isArray(type)) return type
  const [first = null, ...others] = type
  return random.pick([first, ...others])
}

function choiceOf(choices: readonly JsonObject[], making: ValueRequest): MadeValue {
  // A schema that speaks of itself must come to an end: deep down, the plainest choice is taken.
  const plain = choices.filter(
    (choice) => !('$ref' in choice) && choice.type !== 'object' && choice.type !== 'array',
  )
  const open = making.depth > 4 && plain.length > 0 ? plain : choices
  const [first = {}, ...others] = open
  return valueFor(making.random.pick([first, ...others]), { ...making, depth: making.depth + 1 })
}

function objectFor(schema: JsonObject, making: ValueRequest): MadeValue {
  const { random } = making
  const inner = { ...making, depth: making.depth + 1 }
  const required = listAt(schema, 'required')
  const entries: [string, JsonValue][] = []
  for (const [name, child] of Object.entries(objectAt(schema, 'properties'))) {
    const isNeeded = required.includes(name)
    if (!isObject(child) || (!isNeeded && !random.chance(making.depth > 4 ? 15 : 60))) continue
    const value = valueFor(child, inner)
    if (value.kind === 'made') entries.push([name, value.value])
    else if (isNeeded) return impossible
  }
  const open = schema.additionalProperties
  if (isObject(open)) {
    for (let more = random.int(making.depth > 4 ? 0 : 3); more > 0; more -= 1) {
      const value = valueFor(open, inner)
      if (value.kind === 'made') entries.push([random.pick(words), value.value])
    }
  }
  return made(Object.fromEntries(entries))
}

function listFor(schema: JsonObject, making: ValueRequest): MadeValue {
  const { random, atEdge, depth } = making
  const least = numberAt(schema, 'minItems') ?? 0
  const most = Math.min(numberAt(schema, 'maxItems') ?? least + 4, largestList)
  const ordinary = Math.min(most, least + (depth > 4 ? 0 : 3))
  const length =
    atEdge && random.chance(40) ? random.pick([least, most]) : least + random.int(ordinary - least)
  const items: JsonValue[] = []
  for (let place = 0; place < length; place += 1) {
    const item = valueFor(objectAt(schema, 'items'), { ...making, depth: depth + 1 })
    if (item.kind === 'impossible') return items.length >= least ? made(items) : impossible
    items.push(item.value)
  }
  return made(items)
}

const largestList = 50
const longestText = 20_000

function stringFor(schema: JsonObject, { random, atEdge }: ValueRequest): MadeValue {
  const least = numberAt(schema, 'minLength') ?? 0
  const most = Math.min(numberAt(schema, 'maxLength') ?? longestText, longestText)
  const known = typeof schema.format === 'string' ? formats[schema.format] : undefined
  if (known) return made(random.pick(known))
  if (typeof schema.pattern === 'string') {
    const text = textFor(schema.pattern, random, most)
    return text === undefined || text.length < least ? impossible : made(text)
  }
  if (atEdge)
    return made(
      random.pick([
        sized('x', least),
        sized('x', most),
        sized('ж', most),
        fitted(random.pick(awkward), least, most),
      ]),
    )
  return made(fitted(random.chance(60) ? random.pick(words) : madeUp(random), least, most))
}

/** A text that nobody has thought of. */
function madeUp(random: SeededRandom): string {
  return Array.from({ length: 1 + random.int(12) }, () => random.pick(pieces)).join('')
}

/** Counted in characters, of which one may take two units. */
function fitted(text: string, least: number, most: number): string {
  const { length } = Array.from(text)
  return `${text}${'x'.repeat(Math.max(least - length, 0))}`.slice(0, most).toWellFormed()
}

function sized(character: string, length: number): string {
  return character.repeat(Math.min(length, longestText))
}

function integerFor(schema: JsonObject, { random, atEdge }: ValueRequest): number {
  const least = Math.ceil(numberAt(schema, 'minimum') ?? (numberAt(schema, 'exclusiveMinimum') ?? -1001) + 1)
  const most = Math.floor(
    numberAt(schema, 'maximum') ?? (numberAt(schema, 'exclusiveMaximum') ?? least + 2001) - 1,
  )
  const step = numberAt(schema, 'multipleOf') ?? 1
  const value = atEdge ? random.pick([least, most]) : least + random.int(Math.min(most - least, 10_000))
  return Math.min(Math.max(Math.round(value / step) * step, Math.ceil(least / step) * step), most)
}

function numberFor(schema: JsonObject, making: ValueRequest): number {
  const { random, atEdge } = making
  const least = numberAt(schema, 'minimum') ?? numberAt(schema, 'exclusiveMinimum') ?? -1000
  const most = numberAt(schema, 'maximum') ?? numberAt(schema, 'exclusiveMaximum') ?? least + 2000
  const isClosed = schema.exclusiveMinimum === undefined && schema.exclusiveMaximum === undefined
  if (atEdge && isClosed) return random.pick([least, most])
  return least + ((most - least) * (1 + random.int(998))) / 1000
}

const words: readonly [string, ...string[]] = [
  'a.txt',
  'notes/b.md',
  'data.csv',
  'notes',
  'new.txt',
  'notes/new/c.txt',
  '.',
  'hello',
  'a longer text with words',
  '2026-03-01',
  '2026-03-01T12:00:00Z',
  '09:30',
  'Europe/Berlin',
  'https://example.com/a?b=c',
  'one@example.com',
  '42',
  '3.5',
  '#ff8800',
  '2 + 2',
  'km',
  'main',
  '{"a":1}',
  'a,b\n1,2',
  'Straße, naïve café',
  '日本語',
  'x',
]

const awkward: readonly [string, ...string[]] = [
  '',
  ' ',
  '../outside.txt',
  '/etc/hostname',
  '~/x',
  '-rf',
  '--',
  '.git/config',
  'a/../b',
  'null',
  'undefined',
  '%00',
  '\\',
  '"',
  "'",
  '`',
  '${x}',
  '<b>',
  '\n',
  'a\nb',
  '🙂',
  'e\u0301',
  '[object Object]',
  '__proto__',
  'constructor',
]

const pieces: readonly [string, ...string[]] = [
  ...([
    'a',
    'B',
    '7',
    ' ',
    '.',
    '/',
    '-',
    '_',
    ':',
    ',',
    'word',
    'ü',
    '漢',
    '🙂',
    '=',
    '@',
    '(',
    '"',
  ] as const),
]

const formats: Readonly<Record<string, readonly [string, ...string[]]>> = {
  date: ['2026-03-01', '2024-02-29', '1970-01-01'],
  time: ['09:30:00', '23:59:59'],
  'date-time': ['2026-03-01T12:00:00Z', '2024-02-29T23:59:59.999Z'],
  duration: ['PT1H', 'P1D'],
  email: ['one@example.com', 'first.last+tag@example.co.uk'],
  uri: ['https://example.com/', 'https://example.com:8443/a/b?c=d#e'],
  hostname: ['example.com', 'a.b.example.com'],
  uuid: ['01980000-0000-7000-8000-000000000001'],
  ipv4: ['192.0.2.1'],
  ipv6: ['2001:db8::1'],
  base64: ['', 'aGVsbG8=', 'AAAA'],
}
