import { idFrom, type OperatorId } from '@countersign/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startTestDatabase } from '../../../../tests/harness/src/postgres.ts'
import { openIdleKernel } from '../testing/idle-kernel.ts'
import { type Db, type LimitedDb, openStore, type Store } from './store.ts'

const hook = { prepare: () => [], committed: () => undefined }
const problems: unknown[] = []
let database: Awaited<ReturnType<typeof startTestDatabase>>
let store: Store
let operator: OperatorId

beforeAll(async () => {
  database = await startTestDatabase()
  const { connection } = database
  const kernel = await openIdleKernel({ connection, clock: () => new Date() })
  operator = kernel.operator
  await kernel.close()
  store = openStore({
    connection,
    ledger: hook,
    stream: hook,
    clock: () => new Date(),
    onProblem: (error) => problems.push(error),
    poolSize: 1,
  })
})
afterAll(async () => {
  await store.close()
  await database.stop()
})
beforeEach(() => {
  problems.length = 0
})

const one = (db: Pick<Db, 'getExecutor'>) => sql`select 1`.execute(db as Db)

describe('a handle', () => {
  it.each<[string, (keep: (db: Db | LimitedDb) => Promise<void>) => Promise<unknown>]>([
    ['a unit', (keep) => store.transact(operator, ({ db }) => keep(db))],
    ['a unit, for others', (keep) => store.transact(operator, ({ limited }) => keep(limited))],
    ['a read', (keep) => store.read(operator, keep)],
    ['a limited read', (keep) => store.readLimited(operator, keep)],
    ['a single statement', (keep) => store.single(operator, keep)],
    ['a single limited statement', (keep) => store.singleLimited(operator, keep)],
  ])('of %s ends with it, also while somebody else works on its connection', async (_what, open) => {
    const kept: (Db | LimitedDb)[] = []
    await open(async (db) => {
      await one(db as Db)
      kept.push(db)
    })
    const another = idFrom('op', '019a8f00-0000-7000-8000-000000000001')
    await store.transact(another, async ({ db }) => {
      await one(db)
      for (const late of kept) await expect(one(late as Db)).rejects.toThrow('after the end of the work')
    })
    expect(kept).toHaveLength(1)
  })

  it('ends with work that failed', async () => {
    const kept: Db[] = []
    const failing = store.transact(operator, ({ db }) => {
      kept.push(db)
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    await expect(one(kept[0] as Db)).rejects.toThrow('after the end of the work')
  })
})

describe('what is to happen after the commit', () => {
  it('cannot undo it by failing, and keeps nobody else from hearing', async () => {
    const heard: string[] = []
    const { value } = await store.transact(operator, async (unit) => {
      await one(unit.db)
      unit.afterCommit(() => {
        throw new Error('deaf')
      })
      unit.afterCommit(() => heard.push('second'))
      return 'committed'
    })
    expect(value).toBe('committed')
    expect(heard).toEqual(['second'])
    expect(problems).toMatchObject([{ message: 'deaf' }])
  })
})
