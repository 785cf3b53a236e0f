import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type MadeCall, type MadeStore, openMadeStore } from '../testing/made-store.ts'
import { createRecordTransactions } from './record-transactions.ts'

let store: MadeStore
let call: MadeCall
let uses = 0

beforeAll(async () => {
  store = await openMadeStore()
})
afterAll(() => store.close())
beforeEach(async () => {
  call = await store.newCall(await store.newOperator())
})

const become = (state: 'intended' | 'unknown') =>
  store.within(call.operator, ({ db }) =>
    db.updateTable('calls').set({ state }).where('id', '=', call.call).execute(),
  )
const use = (meanwhile: () => Promise<unknown>, nonce = `n${uses++}`) =>
  createRecordTransactions(store, () => store.now).use(
    call.operator,
    { nonce, digest: 'd', call: call.call },
    async (unit) => {
      await unit.records.insert('notes', nonce, { text: 'kept' }, null)
      await meanwhile()
      const at = store.now.toISOString()
      const result = { ok: true, text: 'kept', summary: 'kept', undo: null }
      return { kind: 'done', startedAt: at, endedAt: at, result }
    },
  )
const notes = () =>
  createRecordTransactions(store, () => store.now).read(
    call.operator,
    async (unit) => (await unit.records.list('notes', { limit: 10 })).records,
  )

it('does its work while its call is under way, and tells it again when it is sent again', async () => {
  await become('intended')
  const first = await use(() => Promise.resolve(), 'same')
  expect(first.kind).toBe('done')
  expect(await use(() => Promise.resolve(), 'same')).toEqual(first)
  expect(await notes()).toHaveLength(1)
})

it('leaves nothing when its call was ended in its place meanwhile', async () => {
  await become('intended')
  const late = await use(() => become('unknown'))
  expect(late).toEqual({ kind: 'refused', reason: 'its run was ended before it was done' })
  expect(await notes()).toEqual([])
})
