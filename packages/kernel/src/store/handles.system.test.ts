import type { OperatorId } from '@countersign/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { recordTransaction } from '../records/record-transactions.ts'
import { type MadeStore, openMadeStore } from '../testing/made-store.ts'
import type { Db, LimitedDb } from './store.ts'

let store: MadeStore
let operator: OperatorId

beforeAll(async () => {
  store = await openMadeStore()
  operator = await store.newOperator()
})
afterAll(() => store.close())

const roleOf = async (db: Db | LimitedDb) =>
  (await sql<{ role: string }>`select current_user as role`.execute(db as Db)).rows[0]?.role
const hold = (goal: string) =>
  sql`insert into held_goals values (current_setting('app.operator'), ${goal}, now())`

it('gives each handle its role, however they take turns, and closes a unit as the kernel', async () => {
  const roles = await store.within(operator, async (unit) => {
    unit.record({ type: 'test.noted', actor: { kind: 'gateway', id: 'test' }, data: {} })
    const together = await Promise.all(
      [unit.db, unit.limited, unit.db, unit.limited, unit.limited].map(roleOf),
    )
    return [...together, await roleOf(unit.limited)]
  })
  expect(roles).toEqual([
    'countersign',
    'countersign_assistant',
    'countersign',
    'countersign_assistant',
    'countersign_assistant',
    'countersign_assistant',
  ])
  expect(await store.read(operator, roleOf)).toBe('countersign')
  expect(await store.readLimited(operator, roleOf)).toBe('countersign_assistant')
  expect(await store.readOnly(operator, roleOf)).toBe('countersign_assistant')
  expect(store.entries.at(-1)).toMatchObject({ type: 'test.noted' })
})

it('keeps the roles apart after a part of the transaction was taken back', async () => {
  const roles = await store.within(operator, async (unit) => {
    const transaction = recordTransaction(unit)
    const failed = transaction.isolated(async ({ db }) => {
      await roleOf(db)
      await sql`select 1 / 0`.execute(db)
    })
    await expect(failed).rejects.toThrow('division by zero')
    return [await roleOf(unit.limited), await roleOf(unit.db)]
  })
  expect(roles).toEqual(['countersign_assistant', 'countersign'])
})

it('takes back what failed, and keeps what was written before and after', async () => {
  await store.within(operator, async (unit) => {
    const transaction = recordTransaction(unit)
    await transaction.holds.hold(['before'])
    await transaction
      .isolated(async ({ holds, db }) => {
        await holds.hold(['within'])
        await sql`select 1 / 0`.execute(db)
      })
      .catch(() => undefined)
    await transaction.holds.hold(['after'])
  })
  const held = await store.readOnly(operator, (db) =>
    db.selectFrom('held_goals').select('goal').orderBy('goal').execute(),
  )
  expect(held.map(({ goal }) => goal)).toEqual(['after', 'before'])
})

it('lets the kernel write its tables, and nobody else', async () => {
  await store.within(operator, ({ db }) => hold('kernel').execute(db))
  const denied = /permission denied for table held_goals/
  await expect(store.within(operator, ({ limited }) => hold('x').execute(limited))).rejects.toThrow(denied)
  await expect(store.readLimited(operator, (db) => hold('x').execute(db))).rejects.toThrow(denied)
  await expect(store.readOnly(operator, (db) => hold('x').execute(db))).rejects.toThrow(
    /read-only transaction/,
  )
})

it('sends one statement in a message, so that none can hide behind another', async () => {
  const two = sql.raw("select 1; reset role; insert into held_goals values ('a', 'b', now())")
  await expect(store.within(operator, ({ limited }) => two.execute(limited))).rejects.toThrow(
    'cannot insert multiple commands into a prepared statement',
  )
})
