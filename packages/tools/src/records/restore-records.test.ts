import type { JsonObject, ToolResult } from '@countersign/contract'
import { beforeEach, describe, expect, it } from 'vitest'
import { addCustomRecord } from '../data/add-custom-record.ts'
import { createCustomTable } from '../data/create-custom-table.ts'
import { deleteCustomRecord } from '../data/delete-custom-record.ts'
import { deleteCustomTable } from '../data/delete-custom-table.ts'
import { boostMemory } from '../memory/boost-memory.ts'
import { recall } from '../memory/recall.ts'
import { remember } from '../memory/remember.ts'
import { addNote } from '../notes/add-note.ts'
import { updateNote } from '../notes/update-note.ts'
import { createRecordToolRunner, type RecordToolRunner } from '../testing/record-tool-runner.ts'
import { dumpOf } from '../testing/records.ts'
import { restoreRecords } from './restore-records.ts'

let test: RecordToolRunner
beforeEach(() => {
  test = createRecordToolRunner()
})

const recordUndo = (result: ToolResult) => JSON.parse(result.undo?.args ?? '') as JsonObject
const idIn = (text: string) => /"id":"([^"]+)"/.exec(text)?.[1] ?? ''

describe('restore_records', () => {
  it('takes two changes of one record back, the later one first', async () => {
    const added = await test.use(addNote, { title: 'N', content: 'one' })
    const noteId = idIn(added.result.text)
    const states = [await dumpOf(test.records)]
    const second = await test.use(updateNote, { noteId, content: 'two' })
    states.push(await dumpOf(test.records))
    const third = await test.use(updateNote, { noteId, content: 'three' })
    await test.use(restoreRecords, recordUndo(third.result))
    expect(await dumpOf(test.records)).toEqual(states[1])
    await test.use(restoreRecords, recordUndo(second.result))
    expect(await dumpOf(test.records)).toEqual(states[0])
    expect((await test.records.get('notes', noteId))?.version).toBe(5)
  })

  it('refuses a record that has changed since, is gone, or is there again', async () => {
    const { result } = await test.use(addNote, { title: 'N', content: 'one' })
    const noteId = idIn(result.text)
    const changed = await test.use(updateNote, { noteId, content: 'two' })
    expect(await test.resolve(restoreRecords, recordUndo(result))).toMatchObject({
      kind: 'invalid',
      reason: expect.stringContaining('changed since'),
    })
    await test.records.remove('notes', noteId, 2)
    expect(await test.resolve(restoreRecords, recordUndo(changed.result))).toMatchObject({ kind: 'invalid' })
    const run =
      restoreRecords.runs === 'gateway' && restoreRecords.run(recordUndo(changed.result), test.context)
    expect(await run).toMatchObject({ ok: false })
  })

  it('takes a memory back that was used since, and goes on counting; not one whose words changed', async () => {
    const added = await test.use(remember, { content: 'Likes tea', type: 'preference' })
    const memoryId = idIn(added.result.text)
    const boosted = await test.use(boostMemory, { memoryId, amount: 0.2 })
    await test.use(recall, { query: 'tea' })
    await test.use(restoreRecords, recordUndo(boosted.result))
    expect((await test.records.get('memories', memoryId))?.data).toMatchObject({
      importance: 0.5,
      uses: 1,
      lastUsedAt: test.now.toISOString(),
    })
    const used = await test.records.get('memories', memoryId)
    if (!used) throw new Error('it is gone')
    const data = { ...used.data, content: 'Likes coffee' }
    await test.records.replace('memories', memoryId, used.version, data, used.label)
    expect(await test.resolve(restoreRecords, recordUndo(added.result))).toMatchObject({ kind: 'invalid' })
    await test.records.replace('memories', memoryId, used.version + 1, used.data, used.label)
    await test.use(restoreRecords, recordUndo(added.result))
    expect(await test.records.get('memories', memoryId)).toBeUndefined()
  })

  it('binds the version that it found', async () => {
    const { result } = await test.use(addNote, { title: 'N', content: 'one' })
    expect(await test.resolve(restoreRecords, recordUndo(result))).toMatchObject({
      resources: [{ collection: 'notes', op: 'delete', version: 1 }],
      effects: [{ verb: 'write', reversible: true }],
    })
  })

  it('leaves no rows without their table', async () => {
    const made = await test.use(createCustomTable, { table: 'books', columns: [{ name: 'title' }] })
    const row = await test.use(addCustomRecord, { table: 'books', data: { title: 'Emma' } })
    expect(await test.resolve(restoreRecords, recordUndo(made.result))).toMatchObject({
      reason: expect.stringContaining('has records by now'),
    })
    const recordId = idIn(row.result.text)
    const deleted = await test.use(deleteCustomRecord, { table: 'books', recordId })
    await test.use(deleteCustomTable, { table: 'books' })
    expect(await test.resolve(restoreRecords, recordUndo(deleted.result))).toMatchObject({
      reason: expect.stringContaining('books is gone'),
    })
  })
})
