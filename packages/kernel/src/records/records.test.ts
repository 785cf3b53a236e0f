import { randomUUIDv7 } from 'node:crypto'
import { idFrom, type OperatorId } from '@countersign/contract'
import { migrate, openPool } from '@countersign/database'
import { builtinTools } from '@countersign/tools'
import { createRecordToolRunner, recordsContract, useEveryRecordTool } from '@countersign/tools/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestDatabase, type TestDatabase } from '../../../../tests/harness/src/postgres.ts'
import { migrations } from '../store/migrations/index.ts'
import { openStore, type Store } from '../store/store.ts'
import { recordsOf } from './records.ts'

const clock = () => new Date('2026-03-01T12:00:00.000Z')
const problem = (error: unknown) => {
  throw error
}
let database: TestDatabase
let store: Store

beforeAll(async () => {
  database = await startTestDatabase()
  const setup = openPool(database.connection, 1, problem)
  await migrate(setup, migrations)
  await setup.end()
  store = openStore({
    connection: database.connection,
    ledger: { prepare: () => [], committed: () => undefined },
    stream: { prepare: () => [], committed: () => undefined },
    clock,
    onProblem: problem,
  })
})
afterAll(async () => {
  await store.close()
  await database.stop()
})

const newOperator = () => idFrom('op', randomUUIDv7())

recordsContract('PostgreSQL', (work) => {
  const operator = newOperator()
  return store.read(operator, (db) => work(recordsOf(db, operator, clock())))
})

describe('records in PostgreSQL', () => {
  it('keep one operator from the records of another, whatever the statement says', async () => {
    const [anna, ben] = [newOperator(), newOperator()]
    const within = <T>(
      operator: OperatorId,
      owner: OperatorId,
      work: (r: ReturnType<typeof recordsOf>) => Promise<T>,
    ) => store.read(operator, (db) => work(recordsOf(db, owner, clock())))
    await within(anna, anna, (records) => records.insert('notes', 'n', { title: 'hers' }, null))
    for (const claimed of [ben, anna]) {
      await within(ben, claimed, async (records) => {
        expect(await records.get('notes', 'n')).toBeUndefined()
        expect(await records.list('notes', { limit: 9 })).toEqual({ records: [], total: 0 })
        expect([...(await records.count(''))]).toEqual([])
        expect(await records.clear('notes')).toBe(0)
        await expect(records.remove('notes', 'n', 1)).rejects.toMatchObject({ code: 'not_found' })
      })
    }
    await expect(within(ben, anna, (records) => records.insert('notes', 'm', {}, null))).rejects.toThrow(
      'row-level security',
    )
    await expect(
      within(ben, anna, async (records) =>
        records.restore('notes', {
          id: 'n',
          data: {},
          label: null,
          version: 1,
          createdAt: clock().toISOString(),
          updatedAt: clock().toISOString(),
        }),
      ),
    ).rejects.toThrow('row-level security')
    const { count } = await store.read(ben, async (db) => {
      const { rows } = await sql<{ count: number }>`select count(*) from records`.execute(db)
      return rows[0] ?? { count: -1 }
    })
    expect(count).toBe(0)
    expect(await within(anna, anna, (records) => records.get('notes', 'n'))).toMatchObject({
      data: { title: 'hers' },
    })
  })

  it('are what every tool for records does, undoes and does again', async () => {
    const operator = newOperator()
    const kept = ['tasks', 'bookmarks', 'notes', 'calendar', 'contacts', 'finance', 'data']
    const offered = builtinTools.filter(({ category, runs }) => runs === 'gateway' && kept.includes(category))
    const used = await store.read(operator, (db) =>
      useEveryRecordTool(builtinTools, createRecordToolRunner({ records: recordsOf(db, operator, clock()) })),
    )
    expect(used.length).toBe(45)
    expect(used.toSorted()).toEqual(offered.map(({ name }) => name).toSorted())
  })

  it('let one of two changes made on the same version through', async () => {
    const operator = newOperator()
    const change = (n: number) =>
      store.read(operator, (db) => recordsOf(db, operator, clock()).replace('notes', 'n', 1, { n }, null))
    await store.read(operator, (db) => recordsOf(db, operator, clock()).insert('notes', 'n', { n: 0 }, null))
    const ends = await Promise.allSettled([change(1), change(2)])
    expect(ends.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  })
})
