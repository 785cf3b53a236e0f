/** An installation on a real database with nothing but records and recall: for the tests and the bench of recall. */
import { randomUUIDv7 } from 'node:crypto'
import type { AssistantContext } from '../../packages/assistant/src/assistant-context.ts'
import { recallMigration } from '../../packages/assistant/src/memory/recall/migration.ts'
import { idFrom, type OperatorId } from '../../packages/contract/src/index.ts'
import { migrate, openPool } from '../../packages/database/src/index.ts'
import { recordsOf } from '../../packages/kernel/src/records/records.ts'
import { migrations } from '../../packages/kernel/src/store/migrations/index.ts'
import { openStore, type Store } from '../../packages/kernel/src/store/store.ts'
import { startTestDatabase, type TestConnection, type TestDatabase } from '../harness/src/postgres.ts'

export interface RecallDatabase {
  readonly store: Store
  /** Each another operator, unless one is named. */
  newContext(clock?: () => Date, operator?: OperatorId): AssistantContext
  /** Does at once what the server does by itself in time: without it, every row is looked at twice. */
  settle(): Promise<void>
  close(): Promise<void>
}

export async function openRecallDatabase(
  database?: Pick<TestDatabase, 'stop'> & { readonly connection: Readonly<TestConnection> },
  poolSize = 10,
): Promise<RecallDatabase> {
  const server = database ?? (await startTestDatabase())
  const problem = (error: unknown) => {
    throw error
  }
  const setup = openPool(server.connection, 1, problem)
  await migrate(setup, migrations)
  const { rows } = await setup.query("select to_regclass('memory_index') is null as missing")
  if (rows[0]?.missing) await setup.query(recallMigration.sql)
  await setup.end()
  const store = openStore({
    connection: server.connection,
    ledger: { prepare: () => [], committed: () => undefined },
    stream: { prepare: () => [], committed: () => undefined },
    clock: () => new Date(),
    onProblem: problem,
    poolSize,
  })
  return {
    store,
    newContext: (clock = () => new Date(), operator = idFrom('op', randomUUIDv7())) =>
      houseOn(store, clock, operator, problem),
    async settle() {
      await store.pool.query('vacuum analyze memory_index, memory_words, memory_removals')
    },
    async close() {
      await store.close()
      await server.stop()
    },
  }
}

function houseOn(
  store: Store,
  clock: () => Date,
  operator: OperatorId,
  onProblem: (error: unknown) => void,
): AssistantContext {
  const unitOn = (db: Parameters<typeof recordsOf>[0], owner: OperatorId) =>
    ({
      db,
      now: clock(),
      records: recordsOf(db, owner, clock()),
      afterCommit: () => undefined,
      record: () => undefined,
      emit: () => undefined,
    }) as unknown as Parameters<Parameters<AssistantContext['records']['read']>[1]>[0]
  return {
    operator,
    records: {
      read: (owner, work) => store.read(owner, (db) => work(unitOn(db, owner))),
      single: (owner, work) => store.single(owner, (db) => work(unitOn(db, owner))),
      shared: (owner, work) => store.single(owner, (db) => work(unitOn(db, owner))),
      change: async (owner, work) => {
        const { value, ledger } = await store.transact(owner, ({ db }) =>
          work(unitOn(db, owner) as unknown as Parameters<typeof work>[0]),
        )
        return { value, ledger }
      },
      settingsState: () => Promise.reject(new Error('Nobody stamps here.')),
      use: () => Promise.reject(new Error('There are no permits here.')),
    },
    clock,
    uuid: randomUUIDv7,
    zone: 'UTC',
    onProblem,
  }
}
