/**
 * Owns the connection to PostgreSQL and the unit of work. A unit belongs to one operator, whose rows are all it can
 * see; its ledger entries and events get their numbers at the very end, so that the numbers follow commit order.
 */
import type { ApprovalId, CallId, EventBody, OperatorId, RunId, SessionId } from '@countersign/contract'
import { type JsonObject, OperatorId as OperatorIdShape } from '@countersign/contract'
import { Kysely, PostgresDialect, sql } from 'kysely'
import type pg from 'pg'
import { type Db, databaseOn, openPool } from './pool.ts'
import type { Tables } from './tables.ts'

export type { Db } from './pool.ts'

export interface Actor {
  readonly kind: 'operator' | 'agent' | 'gateway' | 'executor'
  readonly id: string
}

/** An entry before it has its number. */
export interface EntryDraft {
  readonly type: string
  readonly actor: Actor
  readonly session?: SessionId
  readonly run?: RunId
  readonly call?: CallId
  readonly approval?: ApprovalId
  readonly data: JsonObject
}

export interface Unit {
  readonly db: Db
  readonly operator: OperatorId
  readonly now: Date
  record(entry: EntryDraft): void
  emit(event: EventBody): void
  /** Runs after the commit, in order; never when the unit is rolled back. */
  afterCommit(action: () => void): void
}

export interface Committed<T> {
  readonly value: T
  /** The number of the last ledger entry of this unit, or of the ledger when it wrote none. */
  readonly ledger: number
  readonly seq: number
}

export interface Store {
  transact<T>(operator: OperatorId, work: (unit: Unit) => Promise<T>): Promise<Committed<T>>
  read<T>(operator: OperatorId, work: (db: Db) => Promise<T>): Promise<T>
  /** Outside every operator: only the tables that hold ids and no content are visible. */
  readonly system: Db
  readonly pool: pg.Pool
  close(): Promise<void>
}

/** Writes the numbered entries or events of a unit, inside its transaction. */
export type Closer = (unit: Closing) => Promise<void>

export interface Closing {
  readonly db: Db
  readonly operator: OperatorId
  readonly now: Date
  readonly entries: readonly EntryDraft[]
  readonly events: readonly EventBody[]
  readonly firstEntry: number
  readonly firstEvent: number
  afterCommit(action: () => void): void
}

export interface StoreOptions {
  readonly connection: pg.PoolConfig
  readonly closers: readonly Closer[]
  readonly clock: () => Date
  readonly onProblem: (error: unknown) => void
  readonly poolSize?: number
}

export function openStore(options: StoreOptions): Store {
  const pool = openPool(options.connection, options.poolSize ?? 10, options.onProblem)
  const databases = new WeakMap<pg.PoolClient, Db>()

  function databaseOf(client: pg.PoolClient): Db {
    const known = databases.get(client)
    if (known) return known
    const database = databaseOn(client)
    databases.set(client, database)
    return database
  }

  async function within<T>(operator: OperatorId, work: (db: Db) => Promise<T>): Promise<T> {
    const begin = `begin; set local app.operator = '${OperatorIdShape.parse(operator)}'`
    const client = await pool.connect()
    let broken: Error | undefined
    try {
      // It fails only with its connection, and then so does everything after it.
      client.query(begin).catch((lost: Error) => {
        broken = lost
      })
      const value = await work(databaseOf(client))
      const ended = await client.query('commit')
      // A unit that went on after a failed statement is rolled back by the server without an error.
      if (ended.command !== 'COMMIT') throw new Error('the unit was rolled back')
      return value
    } catch (error) {
      await client.query('rollback').catch((lost: Error) => {
        broken = lost
      })
      throw error
    } finally {
      client.release(broken)
    }
  }

  async function transact<T>(operator: OperatorId, work: (unit: Unit) => Promise<T>): Promise<Committed<T>> {
    const now = options.clock()
    const entries: EntryDraft[] = []
    const events: EventBody[] = []
    const actions: (() => void)[] = []
    const afterCommit = (action: () => void) => actions.push(action)
    const committed = await within(operator, async (db) => {
      const value = await work({
        db,
        operator,
        now,
        record: (entry) => entries.push(entry),
        emit: (event) => events.push(event),
        afterCommit,
      })
      if (entries.length === 0 && events.length === 0) return { value, ledger: 0, seq: 0 }
      const counters = await db
        .updateTable('operators')
        .set({
          event_seq: sql`event_seq + ${events.length}`,
          ledger_size: sql`ledger_size + ${entries.length}`,
        })
        .where('id', '=', operator)
        .returning(['event_seq', 'ledger_size'])
        .executeTakeFirstOrThrow()
      const closing: Closing = {
        db,
        operator,
        now,
        entries,
        events,
        firstEntry: counters.ledger_size - entries.length + 1,
        firstEvent: counters.event_seq - events.length + 1,
        afterCommit,
      }
      await Promise.all(options.closers.map((close) => close(closing)))
      return { value, ledger: counters.ledger_size, seq: counters.event_seq }
    })
    for (const action of actions) action()
    return committed
  }

  const system = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  return {
    transact,
    read: within,
    system,
    pool,
    close: () => pool.end(),
  }
}

/** The parameter form of a jsonb column. */
export function json(value: unknown): string {
  return JSON.stringify(value)
}
