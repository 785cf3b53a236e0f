import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type MadeStore, openMadeStore } from '../testing/made-store.ts'
import type { LimitedDb } from './store.ts'

let store: MadeStore

beforeAll(async () => {
  store = await openMadeStore()
})
afterAll(() => store.close())

/** The transaction of a read: where it runs, and when it began. */
async function place(db: LimitedDb): Promise<{ connection: number; began: string; operators: string[] }> {
  const { rows } = await sql<{ connection: number; began: string; id: string | null }>`
    select pg_backend_pid() as connection, now()::text as began, id
    from (select 1) as once left join operators on true`.execute(db)
  const [{ connection, began } = { connection: 0, began: '' }] = rows
  return { connection, began, operators: rows.flatMap(({ id }) => id ?? []) }
}

describe('reads that come together', () => {
  it('share a transaction, also where one follows from another', async () => {
    const operator = await store.newOperator()
    const { together, alongside } = store.shared
    const [first, second] = await Promise.all([together(operator, place), together(operator, place)])
    const third = await together(operator, place)
    const fourth = await alongside(operator, place)
    expect(second).toEqual(first)
    expect(third).toEqual(first)
    expect(fourth).toEqual(first)
    expect(first.operators).toEqual([operator])
  })

  it('end it when none is under way', async () => {
    const operator = await store.newOperator()
    const first = await store.shared.together(operator, place)
    await setImmediate()
    await setImmediate()
    const later = await store.shared.together(operator, place)
    expect(later.began).not.toBe(first.began)
  })

  it('never share it with another operator', async () => {
    const anna = await store.newOperator()
    const bela = await store.newOperator()
    const all = await Promise.all(
      Array.from({ length: 40 }, async (_, index) => {
        const operator = index % 2 === 0 ? anna : bela
        return { operator, ...(await store.shared.together(operator, place)) }
      }),
    )
    for (const { operator, operators } of all) expect(operators).toEqual([operator])
  })

  it('stand when one of them fails, and it alone fails', async () => {
    const operator = await store.newOperator()
    const { together } = store.shared
    const [before, failed, after] = await Promise.allSettled([
      together(operator, place),
      together(operator, (db) => sql`select 1 / 0`.execute(db)),
      together(operator, place),
    ])
    expect(before.status).toBe('fulfilled')
    expect(failed).toMatchObject({ status: 'rejected', reason: { message: 'division by zero' } })
    expect(after).toMatchObject({ status: 'fulfilled', value: { operators: [operator] } })
    expect((await together(operator, place)).operators).toEqual([operator])
  })

  it('do not wait behind one that is slow', async () => {
    const operator = await store.newOperator()
    const { together } = store.shared
    const slow = together(operator, (db) => sql`select pg_sleep(2)`.execute(db))
    await new Promise((resume) => setTimeout(resume, 400))
    const first = await Promise.race([slow.then(() => 'slow'), together(operator, place).then(() => 'quick')])
    expect(first).toBe('quick')
    await slow
  })

  it('can write nothing', async () => {
    const operator = await store.newOperator()
    const write = store.shared.together(operator, (db) =>
      sql`update operators set paused_at = now()`.execute(db),
    )
    await expect(write).rejects.toThrow('read-only transaction')
  })
})

it('a read alongside others that are not there is one by itself', async () => {
  const operator = await store.newOperator()
  const first = await store.shared.alongside(operator, place)
  const second = await store.shared.alongside(operator, place)
  expect(second.began).not.toBe(first.began)
  expect(second.operators).toEqual([operator])
})
