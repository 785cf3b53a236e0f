/**
 * Owns the connection to PostgreSQL and the unit of work. A unit belongs to one operator, whose rows are all it can
 * see; its ledger entries and events get their numbers at the very end, so that the numbers follow commit order.
 */
import { type EventBody, type OperatorId, OperatorId as OperatorIdShape } from '@countersign/contract'
import { openPool } from '@countersign/database'
import { Kysely, PostgresDialect } from 'kysely'
import type pg from 'pg'
import type { EntryDraft } from './entry-draft.ts'
import {
  assistantRole,
  type Db,
  type Handles,
  handlesOn,
  type LimitedDb,
  type OpenHandles,
  type Reader,
  type Role,
} from './handles.ts'
import { createPrivacy } from './private-entries.ts'
import { type SharedReads, shareReads } from './shared-reads.ts'
import type { Tables } from './tables.ts'

export type { Actor, EntryDraft } from './entry-draft.ts'
export type { Db, LimitedDb, Reader } from './handles.ts'

export interface Unit {
  readonly db: Db
  /** The same transaction for code outside of the kernel. */
  readonly limited: LimitedDb
  readonly operator: OperatorId
  readonly now: Date
  record(entry: EntryDraft): void
  emit(event: EventBody): void
  /** Runs after the commit, in order; never when the unit is rolled back. */
  afterCommit(action: () => void): void
}

export interface CommitResult<T> {
  readonly value: T
  /** The number of the last ledger entry of this unit, or of the ledger when it wrote none. */
  readonly ledger: number
  readonly seq: number
}

export interface Store {
  transact<T>(operator: OperatorId, work: (unit: Unit) => Promise<T>): Promise<CommitResult<T>>
  read<T>(operator: OperatorId, work: (db: Db) => Promise<T>): Promise<T>
  /** For one statement, which needs no transaction around it. */
  single<T>(operator: OperatorId, work: (db: Db) => Promise<T>): Promise<T>
  /** For code outside of the kernel: nothing can be written but the assistant's own tables. */
  readonly readLimited: Reader
  readonly singleLimited: Reader
  /** For reads that come together: they share a transaction in which nothing can be written. */
  readonly shared: SharedReads
  /** For code that only shows: the database refuses every write. */
  readonly readOnly: Reader
  /** Outside every operator: only the tables that hold ids and no content are visible. */
  readonly system: Db
  /** The same connections; none of them ever shows the rows of an operator. */
  readonly pool: pg.Pool
  close(): Promise<void>
}

/** What a unit leaves behind, before it has numbers. */
export interface UnitDraft {
  readonly operator: OperatorId
  readonly now: Date
  readonly entries: readonly EntryDraft[]
  readonly events: readonly EventBody[]
}

export interface CommittedUnit extends UnitDraft {
  readonly firstEntry: number
  readonly firstEvent: number
}

/** An entry as text, but for its number, which goes between head and tail. */
export interface UnnumberedEntry {
  readonly head: string
  readonly tail: string
}

/** An event as listeners get it, and as it is stored. */
export interface PreparedEvent {
  readonly body: EventBody
  readonly text: string
}

/** Prepares a part of what a unit leaves before the operator's row is locked, and is told after the commit. */
export interface CommitHook<Prepared> {
  prepare(closing: UnitDraft): readonly Prepared[]
  committed(closed: CommittedUnit, prepared: readonly Prepared[]): void
}

export interface StoreOptions {
  readonly connection: pg.PoolConfig
  readonly ledger: CommitHook<UnnumberedEntry>
  readonly stream: CommitHook<PreparedEvent>
  readonly clock: () => Date
  readonly onProblem: (error: unknown) => void
  readonly poolSize?: number
  /** Whose rows connections for single statements show from the start; left out, nobody's. */
  readonly operator?: OperatorId
}

/** Single statements are short, and so are looks at what is due. */
const singlePoolSize = 4
/** Those outside of the kernel also write by single statements, which wait for the disk. */
const limitedPoolSize = 6
/** Reads that come together leave connections to the others. */
const mostShared = 3
const systemPoolSize = 2
const mostOwners = 1_000

export function openStore(options: StoreOptions): Store {
  const { connection, onProblem, operator: usual } = options
  const { user } = connection
  if (user === undefined) throw new Error('The connection to the database names no user.')
  const pool = openPool(connection, options.poolSize ?? 10, onProblem)
  // Apart, so that a transaction which could not even begin shows the rows of nobody.
  const shows = usual ? [`app.operator=${OperatorIdShape.parse(usual)}`] : []
  const singlePool = openPool(connection, singlePoolSize, onProblem, shows)
  // Under the assistant's role as long as they live.
  const limitedPool = openPool(connection, limitedPoolSize, onProblem, [
    ...shows,
    `role=${assistantRole(user)}`,
  ])
  if (usual)
    for (const each of [singlePool, limitedPool]) each.on('connect', (client) => shown.set(client, usual))
  const systemPool = openPool(connection, systemPoolSize, onProblem)
  const known = new WeakMap<pg.PoolClient, OpenHandles>()
  const owners = new Map<OperatorId, string>()
  const privacy = createPrivacy()
  /** Whose rows a connection for single statements shows; nobody's, if it is not here. */
  const shown = new WeakMap<pg.PoolClient, OperatorId>()

  function handlesOf(client: pg.PoolClient): Handles {
    const open = known.get(client) ?? handlesOn(client, user as string)
    known.set(client, open)
    return open()
  }

  /** A setting takes no parameter, so the id is checked before it becomes a part of the statement. */
  function ownerOf(operator: OperatorId): string {
    const known = owners.get(operator)
    if (known !== undefined) return known
    const owner = `app.operator = '${OperatorIdShape.parse(operator)}'`
    if (owners.size >= mostOwners) owners.clear()
    owners.set(operator, owner)
    return owner
  }

  async function within<T>(
    operator: OperatorId,
    work: (handles: Handles) => Promise<T>,
    close?: (client: pg.PoolClient, handles: Handles) => Promise<void>,
    { role = 'kernel', mode = '' }: { readonly role?: Role; readonly mode?: string } = {},
  ): Promise<T> {
    const begin = `begin${mode}; set local ${ownerOf(operator)}`
    const client = await pool.connect()
    const handles = handlesOf(client)
    let broken: Error | undefined
    const breaks = (lost: Error) => {
      broken = lost
    }
    try {
      // It fails only with its connection, and then so does everything after it.
      client.query(`${begin}${handles.beginAs(role)}`).catch(breaks)
      const value = await work(handles)
      handles.end()
      // The commit follows at once, so that the lock which closing takes is held as briefly as can be.
      const [, ended] = await Promise.all([close?.(client, handles), client.query('commit')])
      // A unit that went on after a failed statement is rolled back by the server without an error.
      if (ended.command !== 'COMMIT') throw new Error('the unit was rolled back')
      return value
    } catch (error) {
      handles.end()
      await client.query('rollback').catch(breaks)
      throw error
    } finally {
      client.release(broken)
    }
  }

  /**
   * The connection keeps showing the rows of this operator until another asks. Turning it is waited for, so that no
   * statement runs while it is in doubt whose rows it sees; and where anything failed, the connection is closed.
   */
  async function single<T>(
    from: pg.Pool,
    role: Role,
    operator: OperatorId,
    work: (handles: Handles, client: pg.PoolClient) => Promise<T>,
  ): Promise<T> {
    const client = await from.connect()
    const handles = handlesOf(client)
    handles.beginAs(role)
    let isSound = false
    try {
      if (shown.get(client) !== operator) {
        shown.delete(client)
        await client.query(`set ${ownerOf(operator)}`)
        shown.set(client, operator)
      }
      const value = await work(handles, client)
      isSound = client.getTransactionStatus() === 'I'
      return value
    } finally {
      handles.end()
      client.release(!isSound)
    }
  }

  async function transact<T>(
    operator: OperatorId,
    work: (unit: Unit) => Promise<T>,
  ): Promise<CommitResult<T>> {
    const now = options.clock()
    const entries: EntryDraft[] = []
    const events: EventBody[] = []
    const actions: (() => void)[] = []
    const closing: UnitDraft = { operator, now, entries, events }
    let last = { entry: 0, event: 0 }
    let texts: readonly UnnumberedEntry[] = []
    let shown: readonly PreparedEvent[] = []
    const value = await within(
      operator,
      async ({ db, limited }) => {
        const made = await work({
          db,
          limited,
          operator,
          now,
          record: (entry) => entries.push(storableJson(entry)),
          emit: (event) => events.push(storableJson(event)),
          afterCommit: (action) => actions.push(action),
        })
        await privacy.strip(db, entries)
        return made
      },
      async (client, handles) => {
        if (entries.length === 0 && events.length === 0) return
        handles.backToKernel()
        texts = options.ledger.prepare(closing)
        shown = options.stream.prepare(closing)
        last = await closeUnit(client, closing, texts, shown)
      },
    )
    const closed: CommittedUnit = {
      ...closing,
      firstEntry: last.entry - entries.length + 1,
      firstEvent: last.event - events.length + 1,
    }
    // What is committed stays so, whoever fails to hear of it.
    if (entries.length > 0) heard(() => options.ledger.committed(closed, texts))
    if (events.length > 0) heard(() => options.stream.committed(closed, shown))
    for (const action of actions) heard(action)
    return { value, ledger: last.entry, seq: last.event }
  }

  function heard(action: () => void): void {
    try {
      action()
    } catch (error) {
      onProblem(error)
    }
  }

  const singleLimited: Reader = (operator, work) =>
    single(limitedPool, 'limited', operator, ({ limited }) => work(limited))
  // Not on the connections of other transactions: whoever asks may be in one of these, and wait for ever.
  const openShared: Reader = (operator, work) =>
    single(limitedPool, 'limited', operator, async ({ limited }, client) => {
      // It fails only with its connection, and then so does everything after it.
      client.query('begin read only').catch(() => undefined)
      const value = await work(limited)
      await client.query('commit')
      return value
    })

  const system = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: systemPool }) })
  return {
    transact,
    read: (operator, work) => within(operator, ({ db }) => work(db)),
    single: (operator, work) => single(singlePool, 'kernel', operator, ({ db }) => work(db)),
    readLimited: (operator, work) =>
      within(operator, ({ limited }) => work(limited), undefined, { role: 'limited' }),
    singleLimited,
    shared: shareReads(openShared, mostShared),
    readOnly: (operator, work) =>
      within(operator, ({ limited }) => work(limited), undefined, { role: 'limited', mode: ' read only' }),
    system,
    pool: systemPool,
    async close() {
      await Promise.all([pool.end(), singlePool.end(), limitedPool.end(), systemPool.end()])
    },
  }
}

/** The database's text cannot hold the zero character. */
export function storable(text: string): string {
  return text.replaceAll('\0', '\uFFFD')
}

/** The database's json cannot hold the zero character, nor half of a character; the ledger's text has no half either. */
export function storableJson<Value>(value: Value): Value {
  return cleaned(value) as Value
}

function cleaned(value: unknown): unknown {
  if (typeof value === 'string') return storable(value.toWellFormed())
  if (Array.isArray(value)) return value.map(cleaned)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [storable(key.toWellFormed()), cleaned(each)]),
  )
}

/** The parameter form of a json column. */
export function json(value: unknown): string {
  return JSON.stringify(value)
}

async function closeUnit(
  client: pg.PoolClient,
  closing: UnitDraft,
  texts: readonly UnnumberedEntry[],
  shown: readonly PreparedEvent[],
): Promise<{ entry: number; event: number }> {
  const { operator, now, entries } = closing
  const { rows } = await client.query<{ last_entry: number; last_event: number }>({
    name: 'close_unit',
    text: 'select * from close_unit($1, $2, $3, $4, $5, $6, $7, $8, $9)',
    values: [
      operator,
      now,
      entries.map((entry) => entry.type),
      entries.map((entry) => entry.run ?? null),
      entries.map((entry) => entry.call ?? null),
      entries.map((entry) => entry.approval ?? null),
      texts.map((text) => text.head),
      texts.map((text) => text.tail),
      shown.map((event) => event.text),
    ],
  })
  const [row] = rows
  if (!row) throw new Error('the unit was not closed')
  return { entry: row.last_entry, event: row.last_event }
}
