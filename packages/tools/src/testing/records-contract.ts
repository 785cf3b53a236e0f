/** What every keeper of records must hold. */
import type { JsonObject, Label, RecordQuery, Records, StoredRecord } from '@countersign/contract'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ToolDefinition } from '../definition.ts'
import type { RecordToolRunner } from './record-tool-runner.ts'
import { dumpOf } from './records.ts'

const untrusted: Label = { integrity: 'untrusted', confidentiality: 'private', sources: ['example.org'] }

/** `use` gives records in which nothing is kept yet, under a clock that stands still. */
export function recordsContract(
  name: string,
  use: <T>(work: (records: Records) => Promise<T>) => Promise<T>,
): void {
  const ids = async (records: Records, query: Partial<RecordQuery> = {}) =>
    (await records.list('things', { limit: 100, ...query })).records.map(({ id }) => id)

  describe(`the contract of records, held by ${name}`, () => {
    it('gives back what it was given, with the first version and its label', () =>
      use(async (records) => {
        const data: JsonObject = {
          text: 'Ü 👨‍👩‍👧 \u2028 "quoted" \\u0000',
          numbers: [0, -1.5, 1e21, 0.1, 5e-324],
          deep: { list: [[], {}, null, true], '': '', ['__proto__']: 'own' },
        }
        const made = await records.insert('things', 'a', data, untrusted)
        expect(made).toMatchObject({ id: 'a', version: 1, label: untrusted })
        expect(made.createdAt).toBe(made.updatedAt)
        expect(await records.get('things', 'a')).toEqual(made)
        expect(JSON.parse(JSON.stringify(made.data))).toEqual(JSON.parse(JSON.stringify(data)))
        expect(await records.get('others', 'a')).toBeUndefined()
        expect(await records.get('things', 'b')).toBeUndefined()
      }))

    it('keeps what no database can hold as a replacement character', () =>
      use(async (records) => {
        await records.insert('things', 'a', { 'k\0': 'a\0b', list: ['\ud800'] }, null)
        expect((await records.get('things', 'a'))?.data).toEqual({ 'k\uFFFD': 'a\uFFFDb', list: ['\uFFFD'] })
        expect(await ids(records, { where: { 'k\0': 'a\0b' } })).toEqual(['a'])
      }))

    it('refuses an id that is taken, and takes it in another collection', () =>
      use(async (records) => {
        await records.insert('things', 'a', { n: 1 }, null)
        await expect(records.insert('things', 'a', { n: 2 }, null)).rejects.toMatchObject({
          code: 'conflict',
        })
        await records.insert('others', 'a', { n: 2 }, null)
        expect((await records.get('things', 'a'))?.data).toEqual({ n: 1 })
      }))

    it('replaces and removes on the version that the change was made on, and refuses every other', () =>
      use(async (records) => {
        const made = await records.insert('things', 'a', { n: 1, old: true }, untrusted)
        const changed = await records.replace('things', 'a', 1, { n: 2 }, null)
        expect(changed).toMatchObject({ data: { n: 2 }, version: 2, label: null, createdAt: made.createdAt })
        expect(changed.data).not.toHaveProperty('old')
        await expect(records.replace('things', 'a', 1, { n: 3 }, null)).rejects.toMatchObject({
          code: 'conflict',
        })
        await expect(records.remove('things', 'a', 1)).rejects.toMatchObject({ code: 'conflict' })
        await records.remove('things', 'a', 2)
        expect(await records.get('things', 'a')).toBeUndefined()
        await expect(records.remove('things', 'a', 2)).rejects.toMatchObject({ code: 'not_found' })
        await expect(records.replace('things', 'a', 2, {}, null)).rejects.toMatchObject({ code: 'not_found' })
      }))

    it('puts a record back as it was, present or gone, under a version that was never used', () =>
      use(async (records) => {
        const early: StoredRecord = {
          id: 'a',
          data: { n: 1 },
          label: untrusted,
          version: 7,
          createdAt: '2020-01-02T03:04:05.678Z',
          updatedAt: '2021-01-02T03:04:05.678Z',
        }
        expect(await records.restore('things', early)).toEqual({ ...early, version: 8 })
        await records.replace('things', 'a', 8, { n: 2 }, null)
        expect(await records.restore('things', early)).toEqual({ ...early, version: 10 })
      }))

    it('counts and clears one collection and leaves its neighbours alone', () =>
      use(async (records) => {
        for (const collection of ['table:a', 'table:ab', 'tablé', 'tables']) {
          await records.insert(collection, 'one', {}, null)
        }
        await records.insert('table:a', 'two', {}, null)
        expect(
          [...(await records.count('table:'))].toSorted(([left], [right]) => (left < right ? -1 : 1)),
        ).toEqual([
          ['table:a', 2],
          ['table:ab', 1],
        ])
        expect(await records.clear('table:a')).toBe(2)
        expect(await records.clear('table:a')).toBe(0)
        expect([...(await records.count('')).keys()].toSorted()).toEqual(['table:ab', 'tables', 'tablé'])
      }))

    it('lists the newest first, a page at a time, with the total', () =>
      use(async (records) => {
        const times = { updatedAt: '2026-01-01T00:00:00.000Z', label: null, version: 1, data: {} }
        for (const [id, day] of [
          ['b', 2],
          ['a', 1],
          ['d', 2],
          ['c', 3],
        ] as const) {
          await records.restore('things', { id, ...times, createdAt: `2026-01-0${day}T00:00:00.000Z` })
        }
        expect(await ids(records)).toEqual(['c', 'd', 'b', 'a'])
        expect(await records.list('things', { limit: 2, offset: 3 })).toMatchObject({
          records: [{ id: 'a' }],
          total: 4,
        })
        expect(await records.list('things', { limit: 2, offset: 9 })).toEqual({ records: [], total: 4 })
        const late = { limit: 2, offset: 9, order: [{ field: 'n', direction: 'up' as const }] }
        expect(await records.list('things', late)).toEqual({ records: [], total: 4 })
        expect(await ids(records, { order: [{ field: 'createdAt', direction: 'up' }] })).toEqual([
          'a',
          'd',
          'b',
          'c',
        ])
      }))

    it('takes a field or a value for what it is, never for a statement', () =>
      use(async (records) => {
        const nasty = `x' or true -- "); drop table records; %_\\ $1`
        await records.insert('things', 'a', { [nasty]: nasty, list: [nasty] }, null)
        await records.insert('things', 'b', { plain: 'x' }, null)
        expect(await ids(records, { where: { [nasty]: nasty } })).toEqual(['a'])
        expect(await ids(records, { holds: { field: 'list', value: nasty } })).toEqual(['a'])
        expect(await ids(records, { between: { field: nasty, from: nasty, to: nasty } })).toEqual(['a'])
        expect(await ids(records, { search: { text: '%_\\', fields: [nasty] } })).toEqual(['a'])
        expect(await ids(records, { search: { text: '%', fields: ['plain'] } })).toEqual([])
        expect(await ids(records, { order: [{ field: nasty, direction: 'up' }] })).toEqual(['a', 'b'])
        expect(await records.list(nasty, { limit: 5 })).toEqual({ records: [], total: 0 })
        expect([...(await records.count(nasty))]).toEqual([])
      }))

    it('tells a number, a text and a truth value of the same spelling apart', () =>
      use(async (records) => {
        await records.insert('things', 'a', { v: 1 }, null)
        await records.insert('things', 'b', { v: '1' }, null)
        await records.insert('things', 'c', { v: true }, null)
        await records.insert('things', 'd', { v: [1, 'x'] }, null)
        expect(await ids(records, { where: { v: 1 } })).toEqual(['a'])
        expect(await ids(records, { where: { v: '1' } })).toEqual(['b'])
        expect(await ids(records, { where: { v: true } })).toEqual(['c'])
        expect(await ids(records, { where: { v: 'x' } })).toEqual([])
      }))

    it('orders numbers as numbers, texts whatever their case, and what has no value last', () =>
      use(async (records) => {
        const values = [10, 9, 'b', 'Ä', 'a', 'B2', null, undefined]
        for (const [index, value] of values.entries()) {
          await records.insert('things', `i${index}`, value === undefined ? {} : { v: value }, null)
        }
        const valuesBy = async (direction: 'up' | 'down') =>
          (await records.list('things', { order: [{ field: 'v', direction }], limit: 9 })).records.map(
            ({ data }) => data['v'],
          )
        expect(await valuesBy('up')).toEqual([9, 10, 'a', 'b', 'B2', 'Ä', undefined, null])
        expect(await valuesBy('down')).toEqual([10, 9, 'Ä', 'B2', 'b', 'a', undefined, null])
      }))

    it('finds words in any of the fields, whatever their case and alphabet', () =>
      use(async (records) => {
        await records.insert('things', 'a', { title: 'ÜBUNG für Anna', notes: 'Milk' }, null)
        await records.insert('things', 'b', { title: 'Übung', tags: ['milk', 'Bread'] }, null)
        const found = (text: string, ...fields: string[]) => ids(records, { search: { text, fields } })
        expect(await found('übung', 'title')).toEqual(['b', 'a'])
        expect(await found('übung MILK', 'title', 'notes')).toEqual(['a'])
        expect(await found('bread übung', 'title', 'tags')).toEqual(['b'])
        expect(await found('milk', 'title')).toEqual([])
        expect(await found('  ', 'title')).toEqual(['b', 'a'])
      }))

    it('lists what a plain filter finds, for any records and any query', () =>
      fc.assert(
        fc.asyncProperty(fc.array(thing, { maxLength: 12 }), query, (things, asked) =>
          use(async (records) => {
            for (const [index, data] of things.entries())
              await records.insert('things', `t${index}`, data, null)
            const { records: found, total } = await records.list('things', asked)
            const wanted = things.flatMap((data, index) => (plainly(data, asked) ? [`t${index}`] : []))
            expect(total).toBe(wanted.length)
            expect(found.map(({ id }) => id).toSorted()).toEqual(wanted.toSorted())
          }),
        ),
        { numRuns: 60 },
      ))
  })
}

const word = fc.constantFrom('a', 'b', 'Ab', 'ba', 'ü', 'Ü', '2026-01-02', '')
const thing = fc.record(
  {
    name: word,
    day: fc.constantFrom('2026-01-01', '2026-01-02', '2026-01-02T10:00:00', '2026-02-01'),
    done: fc.boolean(),
    size: fc.integer({ min: 0, max: 2 }),
    tags: fc.array(word, { maxLength: 3 }),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<JsonObject>

const query: fc.Arbitrary<RecordQuery> = fc.record(
  {
    where: fc.record(
      { name: word, done: fc.boolean(), size: fc.integer({ min: 0, max: 2 }) },
      { requiredKeys: [] },
    ),
    between: fc.record(
      { field: fc.constant('day'), from: fc.constant('2026-01-02'), to: fc.constant('2026-01-02T23') },
      { requiredKeys: ['field'] },
    ),
    holds: fc.record({ field: fc.constant('tags'), value: word }),
    search: fc.record({
      text: fc.array(word, { maxLength: 2 }).map((words) => words.join(' ')),
      fields: fc.constantFrom(['name'], ['name', 'day']),
    }),
    order: fc.array(
      fc.record({ field: fc.constantFrom('name', 'day', 'size'), direction: fc.constantFrom('up', 'down') }),
      { maxLength: 2 },
    ),
    limit: fc.constant(100),
  },
  { requiredKeys: ['limit'] },
)

function plainly(data: JsonObject, { where, between, holds, search }: RecordQuery): boolean {
  for (const [field, value] of Object.entries(where ?? {})) if (data[field] !== value) return false
  const value = between && data[between.field]
  if (between?.from !== undefined && !(typeof value === 'string' && value >= between.from)) return false
  if (between?.to !== undefined && !(typeof value === 'string' && value <= between.to)) return false
  const tags = holds && data[holds.field]
  if (holds && !(Array.isArray(tags) && tags.includes(holds.value))) return false
  const words = (search?.text ?? '').split(' ').filter((each) => each !== '')
  return words.every((each) =>
    search?.fields.some((field) =>
      JSON.stringify(data[field] ?? '')
        .toLowerCase()
        .includes(each.toLowerCase()),
    ),
  )
}

type Made = Readonly<Record<string, string>>

interface Step {
  readonly tool: string
  readonly args: (made: Made) => JsonObject
  /** The name under which later steps know the first id that the tool told. */
  readonly as?: string
}

const step = (tool: string, args: JsonObject | ((made: Made) => JsonObject), as?: string): Step => ({
  tool,
  args: typeof args === 'function' ? args : () => args,
  ...(as === undefined ? {} : { as }),
})

const steps: readonly Step[] = [
  step('add_task', { title: 'Water the plants', dueDate: '2026-03-02', notes: 'All of them' }, 'task'),
  step('batch_add_tasks', {
    tasks: [{ title: 'One' }, { title: 'Two', priority: 'urgent', category: 'work' }],
  }),
  step('list_tasks', { status: 'pending', search: 'one' }),
  step('complete_task', ({ task }) => ({ taskId: task ?? '' })),
  step('update_task', ({ task }) => ({ taskId: task ?? '', status: 'in_progress', dueDate: null })),
  step('delete_task', ({ task }) => ({ taskId: task ?? '' })),
  step('add_bookmark', { url: 'https://example.org/a', tags: ['x'] }, 'bookmark'),
  step('batch_add_bookmarks', {
    bookmarks: [{ url: 'http://a.example' }, { url: 'http://b.example', title: 'B' }],
  }),
  step('list_bookmarks', { tag: 'x' }),
  step('update_bookmark', ({ bookmark }) => ({ bookmarkId: bookmark ?? '', title: 'Other' })),
  step('delete_bookmark', ({ bookmark }) => ({ bookmarkId: bookmark ?? '' })),
  step('add_note', { title: 'Ideas', content: '# One\n\nÜ 👨‍👩‍👧', isPinned: true }, 'note'),
  step('batch_add_notes', {
    notes: [
      { title: 'A', content: 'a' },
      { title: 'B', content: 'b' },
    ],
  }),
  step('list_notes', { isPinned: true }),
  step('update_note', ({ note }) => ({ noteId: note ?? '', content: 'Two', tags: ['t'] })),
  step('delete_note', ({ note }) => ({ noteId: note ?? '' })),
  step('add_calendar_event', { title: 'Dentist', startTime: '2026-03-05T09:00:00', reminder: 30 }, 'event'),
  step('batch_add_calendar_events', {
    events: [{ title: 'Fair', startTime: '2026-04-01', endTime: '2026-04-03' }],
  }),
  step('list_calendar_events', { from: '2026-03-01', to: '2026-03-31' }),
  step('update_calendar_event', ({ event }) => ({ eventId: event ?? '', location: 'Room 2' })),
  step('delete_calendar_event', ({ event }) => ({ eventId: event ?? '' })),
  step('add_expense', { amount: 12.1, currency: 'EUR', category: 'food', description: 'Lunch' }, 'expense'),
  step('batch_add_expenses', {
    expenses: [
      { amount: '800', currency: 'JPY', category: 'transport', description: 'Train', date: '2026-03-02' },
      { amount: '-3', currency: 'EUR', category: 'other', description: 'Deposit back', tags: ['cash'] },
    ],
  }),
  step('query_expenses', { from: '2026-03-01', category: 'transport' }),
  step('expense_summary', { by: 'category' }),
  step('export_expenses', { format: 'csv' }),
  step('update_expense', ({ expense }) => ({ expenseId: expense ?? '', amount: '13.20', payee: 'Rossi' })),
  step('delete_expense', ({ expense }) => ({ expenseId: expense ?? '' })),
  step('add_contact', { name: 'Anna', email: 'anna@example.org', phone: '+49 30 1234' }, 'contact'),
  step('batch_add_contacts', { contacts: [{ name: 'Ben' }, { name: 'Carla', relationship: 'friend' }] }),
  step('list_contacts', { search: 'ann' }),
  step('update_contact', ({ contact }) => ({ contactId: contact ?? '', email: null, company: 'Example' })),
  step('delete_contact', ({ contact }) => ({ contactId: contact ?? '' })),
  step('create_custom_table', {
    table: 'books',
    columns: [
      { name: 'title', required: true },
      { name: 'pages', type: 'integer' },
      { name: 'state', type: 'select', options: ['new', 'read'], default: 'new' },
      { name: 'extra', type: 'json' },
    ],
  }),
  step('list_custom_tables', {}),
  step('describe_custom_table', { table: 'books' }),
  step(
    'add_custom_record',
    { table: 'books', data: { title: 'Emma', pages: 474, extra: { b: [1], a: null } } },
    'row',
  ),
  step('batch_add_custom_records', {
    table: 'books',
    records: [{ title: 'A' }, { title: 'B', state: 'read' }],
  }),
  step('list_custom_records', {
    table: 'books',
    filter: { state: 'new' },
    sortBy: 'pages',
    sortOrder: 'desc',
  }),
  step('search_custom_records', { table: 'books', query: 'emma' }),
  step('get_custom_record', ({ row }) => ({ table: 'books', recordId: row ?? '' })),
  step('add_custom_column', { table: 'books', column: { name: 'price', type: 'number' } }),
  step('update_custom_record', ({ row }) => ({
    table: 'books',
    recordId: row ?? '',
    data: { state: 'read', extra: null },
  })),
  step('delete_custom_record', ({ row }) => ({ table: 'books', recordId: row ?? '' })),
  step('delete_custom_table', { table: 'books' }),
]

/** Uses every tool for records. What changes something is taken back, found equal, and then done again. */
export async function useEveryRecordTool(
  tools: readonly ToolDefinition[],
  test: RecordToolRunner,
): Promise<string[]> {
  const find = (name: string) => {
    const tool = tools.find((each) => each.name === name)
    if (!tool) throw new Error(`There is no ${name} here.`)
    return tool
  }
  const made: Record<string, string> = {}
  for (const { tool, args, as } of steps) {
    const before = await dumpOf(test.records)
    test.now = new Date(test.now.getTime() + 1000)
    const { found, result } = await test.use(find(tool), args(made))
    expect(result.ok, `${tool}: ${result.text}`).toBe(true)
    expect(found.effects.every(({ scope, reversible }) => scope === 'inside' && reversible)).toBe(true)
    const id = /"id":"([^"]+)"/.exec(result.text)?.[1]
    if (as !== undefined && id !== undefined) made[as] = id
    const after = await dumpOf(test.records)
    if (!result.undo) {
      expect(after, tool).toEqual(before)
      continue
    }
    expect(after, tool).not.toEqual(before)
    expect(result.undo.tool).toBe(find(tool).undo)
    const undone = await test.use(find(result.undo.tool), JSON.parse(result.undo.args) as JsonObject)
    expect(await dumpOf(test.records), `${tool}, undone`).toEqual(before)
    const { undo: redo } = undone.result
    await test.use(find(redo?.tool ?? ''), JSON.parse(redo?.args ?? '') as JsonObject)
    expect(await dumpOf(test.records), `${tool}, undone twice`).toEqual(after)
  }
  return steps.map(({ tool }) => tool)
}
