/** Tries every write under the assistant's role and through the handles, and looks whether a row of the kernel changed. */
import { randomUUIDv7 } from 'node:crypto'
import { assistantMigrations } from '@countersign/assistant'
import { idFrom, type OperatorId } from '@countersign/contract'
import { sql } from 'kysely'
import pg from 'pg'
import { migrate, openPool } from '../../../../../packages/database/src/index.ts'
import { migrations } from '../../../../../packages/kernel/src/store/migrations/index.ts'
import { type LimitedDb, openStore, type Store } from '../../../../../packages/kernel/src/store/store.ts'
import { startTestDatabase } from '../../../../harness/src/postgres.ts'
import type { SuiteOptions, SuiteResult } from '../../suite.ts'
import { attemptsBeside, attemptsOn, escapes, quoted, type Table } from './attempts.ts'

/** These run as the kernel, whoever calls them, and were read for that. */
const runAsKernel = ['index_nearest', 'prepare_nearest']

export async function runRoles({ n, log }: Pick<SuiteOptions, 'n' | 'seed' | 'log'>): Promise<SuiteResult> {
  const database = await startTestDatabase()
  const setup = openPool(database.connection, 1, () => undefined)
  const wrong: string[] = []
  let tried = 0
  try {
    await migrate(setup, migrations)
    const tables = await tablesOf(setup)
    await migrate(setup, [...migrations, ...assistantMigrations])
    const own = (await tablesOf(setup)).filter(({ name }) => !tables.some((table) => table.name === name))
    const operator = idFrom('op', randomUUIDv7())
    const administrator = new pg.Client({ ...database.administrator, database: database.connection.database })
    await administrator.connect()
    await administrator.query('insert into countersign.operators (id, created_at) values ($1, now())', [
      operator,
    ])
    await administrator.query('insert into countersign.held_goals values ($1, $2, now())', [operator, 'goal'])
    const before = await fingerprint(administrator, tables)

    const bare = await openBare(database.connection)
    const attempts = [...tables.flatMap(attemptsOn), ...attemptsBeside]
    for (const text of attempts.slice(0, n)) {
      tried += 1
      const came = await bare.attempt(operator, text)
      if (came !== 'refused') wrong.push(`the role: ${text}: ${came}`)
    }
    await bare.close()
    log(`${tried} statements under the role, ${wrong.length} not refused`)

    const store = openStoreOn(database.connection)
    for (const [name, reach] of Object.entries(reaches(store, operator))) {
      const direct = [...tables.flatMap(attemptsOn), ...attemptsBeside].slice(0, n)
      for (const text of direct) {
        tried += 1
        const came = await outcome(() => reach((db) => sql.raw(text).execute(db)))
        if (came !== 'refused') wrong.push(`${name}: ${text}: ${came}`)
      }
      for (const escape of escapes.slice(0, n)) {
        tried += 1
        await reach(async (db) => {
          await sql.raw(escape).execute(db)
        }).catch(() => undefined)
        // In a transaction that goes on after the refusal of a statement that never left.
        const came = await outcome(() =>
          reach(async (db) => {
            await sql
              .raw(escape)
              .execute(db)
              .catch(() => undefined)
            await sql`update held_goals set goal = 'planted'`.execute(db)
          }),
        )
        if (came !== 'refused') wrong.push(`${name}: ${escape}: ${came}`)
      }
      log(`${name}: ${tried} so far, ${wrong.length} not refused`)
    }
    wrong.push(...(await controls(store, setup, operator, tables, own)))
    await store.close()
    for (const [table, hash] of Object.entries(await fingerprint(administrator, tables)))
      if (before[table] !== hash) wrong.push(`rows of ${table} were changed`)
    await administrator.end()
    return {
      n: tried,
      failures: wrong.length,
      details: { tables: tables.length, ownTables: own.length, examples: wrong.slice(0, 10) },
    }
  } finally {
    await setup.end()
    await database.stop()
  }
}

type Reach = (work: (db: LimitedDb) => Promise<unknown>) => Promise<unknown>

function reaches(store: Store, operator: OperatorId): Record<string, Reach> {
  return {
    'a unit of the assistant': (work) => store.transact(operator, ({ limited }) => work(limited)),
    // The kernel wrote a moment before on the same connection.
    'a unit after the kernel': (work) =>
      store.transact(operator, async ({ db, limited }) => {
        await sql`update operators set epoch = epoch`.execute(db)
        return work(limited)
      }),
    'a read of the assistant': (work) => store.readLimited(operator, work),
    'a single statement of the assistant': (work) => store.singleLimited(operator, work),
    views: (work) => store.readOnly(operator, work),
  }
}

/** By privileges, by a read-only transaction, or kept back before it was sent; every other end is a hole. */
async function outcome(work: () => Promise<unknown>): Promise<string> {
  try {
    await work()
    return 'done'
  } catch (error) {
    const { code, message } = error as { code?: string; message: string }
    if (code === '42501' || code === '25006' || code === undefined) return 'refused'
    // Two statements in one message; or the role was asked for within a transaction that had failed before.
    if (code === '42601' || code === '25P02') return 'refused'
    return `${code} ${message}`
  }
}

async function openBare(connection: pg.PoolConfig) {
  const client = new pg.Client({ ...connection, options: '-c search_path=countersign' })
  await client.connect()
  return {
    async attempt(operator: OperatorId, text: string): Promise<string> {
      await client.query(
        `begin; set local app.operator = '${operator}'; set local role countersign_assistant`,
      )
      try {
        await client.query(text)
        return 'done'
      } catch (error) {
        const { code, message } = error as { code?: string; message: string }
        return code === '42501' ? 'refused' : `${code ?? ''} ${message}`
      } finally {
        await client.query('rollback')
      }
    },
    close: () => client.end(),
  }
}

/** The nearest things that are allowed. */
async function controls(
  store: Store,
  pool: pg.Pool,
  operator: OperatorId,
  tables: readonly Table[],
  own: readonly Table[],
): Promise<string[]> {
  const wrong: string[] = []
  for (const { name } of [...tables, ...own].filter((table) => table.name !== 'migrations'))
    for (const [who, reach] of Object.entries(reaches(store, operator)))
      await reach((db) => sql.raw(`select 1 from ${quoted(name)}`).execute(db)).catch((error: unknown) => {
        wrong.push(`${who} cannot read ${name}: ${String(error)}`)
      })
  for (const { name } of own)
    await store
      .transact(operator, ({ limited }) => sql.raw(`delete from ${quoted(name)}`).execute(limited))
      .catch((error: unknown) => wrong.push(`the assistant cannot write ${name}: ${String(error)}`))
  await store
    .transact(operator, ({ db }) => sql`update held_goals set goal = goal`.execute(db))
    .catch((error: unknown) => wrong.push(`the kernel cannot write its own: ${String(error)}`))
  const { rows } = await pool.query<{ name: string }>(
    `select proname as name from pg_proc where prosecdef and pronamespace = 'countersign'::regnamespace order by 1`,
  )
  if (rows.map(({ name }) => name).join() !== runAsKernel.join())
    wrong.push(`other functions run as the kernel: ${rows.map(({ name }) => name).join()}`)
  if (own.length === 0 || tables.length < 20) wrong.push('the catalogue was not read')
  return wrong
}

async function tablesOf(pool: pg.Pool): Promise<Table[]> {
  const { rows } = await pool.query<{ table: string; column: string; generated: boolean }>(
    `select relname as table, attname as column, (attgenerated <> '' or attidentity = 'a') as generated
     from pg_class join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped
     where relnamespace = 'countersign'::regnamespace and relkind in ('r', 'p', 'v', 'm') order by relname, attnum`,
  )
  return [...Map.groupBy(rows, ({ table }) => table)].map(([name, columns]) => ({
    name,
    columns: columns.map(({ column, generated }) => ({ name: column, isGenerated: generated })),
  }))
}

async function fingerprint(client: pg.Client, tables: readonly Table[]): Promise<Record<string, string>> {
  const hashes: Record<string, string> = {}
  for (const { name } of tables) {
    const { rows } = await client.query<{ hash: string }>(
      `select md5(coalesce(string_agg(t::text, ',' order by t::text), '')) as hash from countersign.${quoted(name)} as t`,
    )
    hashes[name] = rows[0]?.hash ?? ''
  }
  return hashes
}

function openStoreOn(connection: pg.PoolConfig): Store {
  const closer = { prepare: () => [], committed: () => undefined }
  return openStore({
    connection,
    ledger: closer,
    stream: closer,
    clock: () => new Date(),
    onProblem: () => undefined,
    poolSize: 1,
  })
}
