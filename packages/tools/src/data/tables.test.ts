import type { JsonObject } from '@countersign/contract'
import { beforeEach, describe, expect, it } from 'vitest'
import { parseArgs } from '../definition.ts'
import { restoreRecords } from '../records/restore-records.ts'
import { createRecordToolRunner, type RecordToolRunner } from '../testing/record-tool-runner.ts'
import { dumpOf } from '../testing/records.ts'
import { batchAddCustomRecords } from './batch-add-custom-records.ts'
import { createCustomTable } from './create-custom-table.ts'
import { deleteCustomTable, mostRestored } from './delete-custom-table.ts'
import { describeCustomTable } from './describe-custom-table.ts'
import { listCustomTables } from './list-custom-tables.ts'
import { mostTables } from './table.ts'

let test: RecordToolRunner
beforeEach(() => {
  test = createRecordToolRunner()
})

const create = (table: string, columns: JsonObject[] = [{ name: 'title' }]) =>
  test.use(createCustomTable, { table, columns })
const reasonFor = async (args: JsonObject) => {
  const parsed = parseArgs(createCustomTable, args)
  if (parsed.kind === 'invalid') return parsed.problems.join('; ')
  const found = await test.resolve(createCustomTable, args)
  return found.kind === 'invalid' ? found.reason : 'taken'
}

describe('create_custom_table', () => {
  it('keeps the columns in their order, and tells them', async () => {
    await create('books', [{ name: 'z' }, { name: 'a', type: 'select', options: ['x', 'y'], default: 'x' }])
    const { result } = await test.use(describeCustomTable, { table: 'books' })
    expect(result.text).toContain('books: 0 records')
    expect(result.text.indexOf('"z"')).toBeLessThan(result.text.indexOf('"a"'))
    expect((await test.use(listCustomTables, {})).result.text).toContain('"columns":["z","a"]')
  })

  it('sends what has tools of its own to those tools', async () => {
    for (const [table, tool] of [
      ['tasks', 'add_task'],
      ['todo', 'add_task'],
      ['my_todo_list', 'add_task'],
      ['notes', 'add_note'],
      ['bookmark', 'add_bookmark'],
      ['events', 'add_calendar_event'],
      ['calendar_events', 'add_calendar_event'],
      ['contacts', 'add_contact'],
    ] as const) {
      expect(await reasonFor({ table, columns: [{ name: 'a' }] })).toContain(tool)
    }
    expect(await reasonFor({ table: 'task_estimates', columns: [{ name: 'a' }] })).toBe('taken')
  })

  it('refuses names and columns that mean nothing', async () => {
    const columns = [{ name: 'a' }]
    for (const table of ['', 'Books', '1st', 'a-b', 'a b', 'ä', 'x'.repeat(64), "a'; drop table records"]) {
      expect(await reasonFor({ table, columns }), table).not.toBe('taken')
    }
    for (const wrong of [
      [],
      [{ name: 'a' }, { name: 'A' }],
      [{ name: 'id' }],
      [{ name: 'createdAt' }],
      [{ name: 'a b' }],
      [{ name: 'constructor' }],
      [{ name: '__proto__' }],
      [{ name: 'a', type: 'money' }],
      [{ name: 'a', type: 'select' }],
      [{ name: 'a', options: ['x'] }],
      [{ name: 'a', type: 'select', options: ['x', 'x'] }],
      [{ name: 'a', type: 'integer', default: 1.5 }],
      [{ name: 'a', type: 'select', options: ['x'], default: 'y' }],
      [{ name: 'a', unique: true, default: 'x' }],
      [{ name: 'a', type: 'boolean', unique: true }],
      Array.from({ length: 51 }, (_, index) => ({ name: `c${index}` })),
    ]) {
      expect(await reasonFor({ table: 'books', columns: wrong }), JSON.stringify(wrong)).not.toBe('taken')
    }
    expect(
      await reasonFor({
        table: 'books',
        columns: [{ name: 'a', type: 'select', options: ['x'], default: 'x' }],
      }),
    ).toBe('taken')
  })

  it('refuses a second table of one name, and one more than the most', async () => {
    await create('books')
    expect(await reasonFor({ table: 'books', columns: [{ name: 'a' }] })).toContain('already')
    for (let index = 1; index < mostTables; index += 1) await create(`t${index}`)
    expect(await reasonFor({ table: 'more', columns: [{ name: 'a' }] })).toContain('the most')
  })
})

describe('delete_custom_table', () => {
  const fill = async (count: number, text: string) => {
    await create('books')
    for (let done = 0; done < count; done += 100) {
      const records = Array.from({ length: Math.min(100, count - done) }, () => ({ title: text }))
      await test.use(batchAddCustomRecords, { table: 'books', records })
    }
  }

  it('can be undone while the table is small', async () => {
    await fill(mostRestored.records, 'x')
    const before = await dumpOf(test.records)
    const { found, result } = await test.use(deleteCustomTable, { table: 'books' })
    expect(found.effects).toMatchObject([{ verb: 'delete', reversible: true }])
    expect(found.resources).toMatchObject([
      { collection: 'custom_tables', id: 'books', op: 'delete', version: 1 },
      { collection: 'table:books', id: '*', op: 'delete', version: 200 },
    ])
    expect(await dumpOf(test.records)).toEqual({})
    await test.use(restoreRecords, JSON.parse(result.undo?.args ?? '') as JsonObject)
    expect(await dumpOf(test.records)).toEqual(before)
  })

  it('is said to be irreversible beyond so many records', async () => {
    await fill(mostRestored.records + 1, 'x')
    const { found, result } = await test.use(deleteCustomTable, { table: 'books' })
    expect(found.effects).toMatchObject([{ reversible: false }])
    expect(result).toMatchObject({ ok: true, undo: null })
    expect(await dumpOf(test.records)).toEqual({})
  })

  it('is said to be irreversible beyond so many bytes', async () => {
    await fill(35, 'x'.repeat(16_000))
    const found = await test.resolve(deleteCustomTable, { table: 'books' })
    expect(found).toMatchObject({ effects: [{ reversible: false }] })
  })

  it('refuses a table that is not there', async () => {
    for (const tool of [deleteCustomTable, describeCustomTable]) {
      expect(await test.resolve(tool, { table: 'none' })).toMatchObject({
        kind: 'invalid',
        reason: expect.stringContaining('list_custom_tables'),
      })
    }
  })
})
