import { randomUUIDv7 } from 'node:crypto'
import { idFrom, type OperatorId } from '@countersign/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type MadeStore, openMadeStore } from '../testing/made-store.ts'
import type { Db } from './store.ts'

let store: MadeStore
let bela: OperatorId
/** Whose connections they are from the start. */
const anna = idFrom('op', randomUUIDv7())

beforeAll(async () => {
  store = await openMadeStore(anna)
  await store.newOperator(anna)
  bela = await store.newOperator()
})
afterAll(() => store.close())

/** The operators that a statement can see, and the connection that it runs on. */
async function seen(db: Db): Promise<{ operators: string[]; connection: number }> {
  const { rows } = await sql<{ id: string | null; connection: number }>`
    select id, pg_backend_pid() as connection from (select 1) as once left join operators on true`.execute(db)
  return { operators: rows.flatMap(({ id }) => id ?? []), connection: rows[0]?.connection ?? 0 }
}

/** Every statement of this operator's that comes now, on whichever connection, sees this operator alone. */
async function expectOwnRows(operator: OperatorId): Promise<void> {
  const all = await Promise.all(Array.from({ length: 20 }, () => store.single(operator, seen)))
  expect(new Set(all.map(({ connection }) => connection)).size).toBeGreaterThan(1)
  for (const { operators } of all) expect(operators).toEqual([operator])
}

describe('a single statement', () => {
  it('sees the rows of its operator, and needs one statement while no other asks', async () => {
    const first = await store.single(anna, seen)
    const again = await store.single(anna, seen)
    expect(again).toEqual(first)
    expect(first.operators).toEqual([anna])
  })

  it('never sees the rows of the operator who was there before', async () => {
    await expectOwnRows(anna)
    await expectOwnRows(bela)
    const mixed = await Promise.all(
      Array.from({ length: 60 }, async (_, index) => {
        const operator = index % 3 === 0 ? bela : anna
        return { operator, ...(await store.single(operator, seen)) }
      }),
    )
    for (const { operator, operators } of mixed) expect(operators).toEqual([operator])
  })

  it('leaves no operator to those who come without one, nor to a transaction', async () => {
    await expectOwnRows(anna)
    expect((await seen(store.system)).operators).toEqual([])
    expect((await store.read(bela, seen)).operators).toEqual([bela])
    expect((await store.readOnly(bela, seen)).operators).toEqual([bela])
    expect(await store.within(bela, ({ db }) => seen(db))).toMatchObject({ operators: [bela] })
  })

  it('refuses an id that is no operator', async () => {
    const forged = `${anna}'; set app.operator = '${bela}` as OperatorId
    await expect(store.single(forged, seen)).rejects.toThrow()
    await expectOwnRows(anna)
  })
})

describe('the operator of a connection is known', () => {
  it('after a statement that failed', async () => {
    await expectOwnRows(anna)
    await expect(store.single(anna, (db) => sql`select 1 / 0`.execute(db))).rejects.toThrow('division')
    await expectOwnRows(anna)
    await expectOwnRows(bela)
  })

  it('after a statement that was cancelled', async () => {
    await expectOwnRows(anna)
    const cancelled = store.single(anna, (db) => sql`select pg_sleep(30)`.execute(db))
    const caught = expect(cancelled).rejects.toThrow('canceling')
    await expect.poll(cancelSleeping).toBe(true)
    await caught
    await expectOwnRows(bela)
    await expectOwnRows(anna)
  })

  it('after the connection was lost', async () => {
    await expectOwnRows(anna)
    const lost = store.single(anna, (db) => sql`select pg_terminate_backend(pg_backend_pid())`.execute(db))
    await expect(lost).rejects.toThrow()
    await expectOwnRows(bela)
  })

  it('after a transaction was left open, and after one that was broken', async () => {
    await expectOwnRows(anna)
    const { connection } = await store.single(anna, async (db) => {
      await sql`begin`.execute(db)
      await sql`set local app.operator = ''`.execute(db)
      return seen(db)
    })
    await store
      .single(anna, async (db) => {
        await sql`begin`.execute(db)
        await sql`set app.operator = ''`.execute(db)
        await sql`select 1 / 0`.execute(db)
      })
      .catch(() => undefined)
    await expectOwnRows(bela)
    const after = await Promise.all(Array.from({ length: 20 }, () => store.single(anna, seen)))
    expect(after.map((each) => each.connection)).not.toContain(connection)
    for (const { operators } of after) expect(operators).toEqual([anna])
  })

  it('when the connections end before another operator could be named on them', async () => {
    await expectOwnRows(anna)
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`.execute(store.system)
    const all = await Promise.allSettled(Array.from({ length: 20 }, () => store.single(bela, seen)))
    for (const each of all) if (each.status === 'fulfilled') expect(each.value.operators).toEqual([bela])
    await expectOwnRows(bela)
  })
})

async function cancelSleeping(): Promise<boolean> {
  const { rows } = await sql<{ done: boolean }>`
    select pg_cancel_backend(pid) as done from pg_stat_activity
    where query = 'select pg_sleep(30)' and state = 'active' and pid <> pg_backend_pid()`.execute(
    store.system,
  )
  return rows.some(({ done }) => done)
}
