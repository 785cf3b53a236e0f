/** Works on a list of any values. */
import type { JsonValue } from '@countersign/contract'
import { z } from 'zod'
import { anyList, smallValue } from './bounds.ts'
import { answer, brief, type ComputationResult, computing, refuse } from './computing.ts'
import { comparerWith, firstOfEach, identityOf, sortBy } from './order.ts'

const operations = [
  'sort',
  'reverse',
  'unique',
  'filter',
  'chunk',
  'flatten',
  'slice',
  'pluck',
  'group',
  'count',
] as const
const comparisons = ['equals', 'not_equals', 'greater', 'less', 'contains', 'exists'] as const

const input = z.strictObject({
  array: anyList,
  operation: z.enum(operations),
  key: z.string().max(200).exactOptional().describe('The field of the objects that counts'),
  order: z.enum(['ascending', 'descending']).default('ascending'),
  comparison: z.enum(comparisons).default('equals'),
  value: smallValue.exactOptional().describe('What filter compares with'),
  size: z.int().min(1).max(10_000).default(10).describe('Of the chunks'),
  start: z.int().min(-10_000).max(10_000).default(0),
  end: z.int().min(-10_000).max(10_000).exactOptional(),
})
type Args = z.infer<typeof input>

export const arrayOperations = computing({
  name: 'array_operations',
  version: '1',
  description:
    'Sort, filter, deduplicate, chunk, flatten, slice, group or count a list of any values, objects by a key. For plain texts sort_list and deduplicate do.',
  group: 'listOps',
  tags: [
    'list',
    'sort',
    'filter',
    'unique',
    'chunk',
    'group by',
    'group',
    'pluck',
    'objects',
    'flatten',
    'keep only',
    'order by',
    'count by',
    'reverse',
  ],
  input,
  describe: ({ array, operation, key }) =>
    `${operation[0]?.toUpperCase()}${operation.slice(1)} ${array.length} items${key === undefined ? '' : ` by ${brief(key, 30)}`}`,
  compute: (args): ComputationResult => {
    if (args.operation === 'pluck' && args.key === undefined) return refuse('pluck needs a key.')
    if (args.operation === 'filter' && args.value === undefined && args.comparison !== 'exists')
      return refuse('filter needs a value to compare with.')
    return answer(work[args.operation](args))
  },
})

const work: Record<(typeof operations)[number], (args: Args) => JsonValue> = {
  sort: ({ array, key, order }) => sortBy(array, (item) => field(item, key) ?? null, order === 'descending'),
  reverse: ({ array }) => array.toReversed(),
  unique: ({ array, key }) => firstOfEach(array, (item) => identityOf(field(item, key) ?? null)),
  filter({ array, key, comparison, value = null }) {
    const holds = tests[comparison](value)
    return array.filter((item) => holds(field(item, key)))
  },
  chunk: ({ array, size }) =>
    Array.from({ length: Math.ceil(array.length / size) }, (_, index) =>
      array.slice(index * size, (index + 1) * size),
    ),
  flatten: ({ array }) => array.flatMap(flat),
  slice: ({ array, start, end }) => array.slice(start, end),
  pluck: ({ array, key }) => array.map((item) => field(item, key) ?? null),
  group: ({ array, key }) =>
    Object.fromEntries(Map.groupBy(array, (item) => nameOf(field(item, key) ?? null))),
  count: ({ array, key }) =>
    Object.fromEntries(
      [...Map.groupBy(array, (item) => nameOf(field(item, key) ?? null))].map(([name, items]) => [
        name,
        items.length,
      ]),
    ),
}

function flat(item: JsonValue): JsonValue[] {
  return Array.isArray(item) ? item.flatMap(flat) : [item]
}

function field(item: JsonValue, key: string | undefined): JsonValue | undefined {
  if (key === undefined) return item
  if (typeof item !== 'object' || item === null || Array.isArray(item)) return undefined
  return Object.hasOwn(item, key) ? item[key] : undefined
}

/** What has to be worked out of the value is worked out once, not for each item. */
const tests: Record<
  (typeof comparisons)[number],
  (value: JsonValue) => (found: JsonValue | undefined) => boolean
> = {
  equals(value) {
    const identity = identityOf(value)
    return (found) => found !== undefined && identityOf(found) === identity
  },
  not_equals(value) {
    const equals = tests.equals(value)
    return (found) => !equals(found ?? null)
  },
  greater(value) {
    const compare = comparerWith(value)
    return (found) => found !== undefined && typeof found === typeof value && compare(found) > 0
  },
  less(value) {
    const compare = comparerWith(value)
    return (found) => found !== undefined && typeof found === typeof value && compare(found) < 0
  },
  contains(value) {
    const [identity, piece] = [identityOf(value), nameOf(value).toLowerCase()]
    return (found) =>
      Array.isArray(found)
        ? found.some((each) => identityOf(each) === identity)
        : found !== undefined && nameOf(found).toLowerCase().includes(piece)
  },
  exists: () => (found) => found !== undefined && found !== null,
}

function nameOf(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
