/**
 * Owns the way to the operator's records for those who work on them: record tools with a permit, and the operator. An effect and the memory that its permit was used are one transaction, so there is no doubt after a crash.
 */
import {
  type BudgetExtensions,
  type CallId,
  type EventBody,
  noBudgetExtensions,
  type OperatorId,
  type Records,
} from '@countersign/contract'
import { isPassingFailure } from '@countersign/database'
import { sql } from 'kysely'
import { budgetExtensionsIn } from '../budgets/budgets.ts'
import { type Forgetting, forgettingIn } from '../forget/forget-words.ts'
import { type Holds, holdsIn } from '../sessions/holds.ts'
import { type Sessions, sessionsIn } from '../sessions/sessions.ts'
import { type SettingsState, settingsState } from '../store/settings-state.ts'
import { type Db, type EntryDraft, json, type LimitedDb, type Store, type Unit } from '../store/store.ts'
import type { RecordToolReply } from '../store/tables.ts'
import { recordsOf } from './records.ts'

export interface RecordTransaction {
  readonly operator: OperatorId
  readonly records: Records
  readonly sessions: Sessions
  readonly holds: Holds
  readonly forgetting: Forgetting
  /** Refuses outside the transaction of a permitted call. */
  readonly budgetExtensions: BudgetExtensions
  readonly now: Date
  /** Reads the kernel's tables and writes none; whoever keeps tables of their own finds them there. */
  readonly db: LimitedDb
  /** Locks records to the end of the transaction, in the order of their ids. A field is compared as text. */
  lockRecords(collection: string, which: RecordSelection): Promise<void>
  /**
   * Does work that may fail. What it wrote, recorded and emitted is then taken back, and the transaction goes on.
   * Rejects with the failure.
   */
  isolated<T>(work: (unit: RecordTransaction) => Promise<T>): Promise<T>
  /** Runs after the commit, in order; never after a read. */
  afterCommit(action: () => void): void
  record(entry: EntryDraft): void
  emit(event: EventBody): void
}

export type RecordSelection = { readonly id: string } | { readonly field: string; readonly equals: string }

export type PermitUseResult = RecordToolReply | { readonly kind: 'refused'; readonly reason: string }

export interface RecordTransactions {
  read<T>(operator: OperatorId, work: (unit: RecordTransaction) => Promise<T>): Promise<T>
  /** For one statement, which needs no transaction around it. */
  single<T>(operator: OperatorId, work: (unit: RecordTransaction) => Promise<T>): Promise<T>
  /** For reads that come together, of one statement or more: they share a transaction. */
  shared<T>(operator: OperatorId, work: (unit: RecordTransaction) => Promise<T>): Promise<T>
  /** Another text for every other state of the operator's settings. */
  settingsState(operator: OperatorId): Promise<string>
  /** The operator's own act; whoever makes it records it. */
  change<T>(
    operator: OperatorId,
    work: (unit: RecordTransaction) => Promise<T>,
  ): Promise<{ value: T; ledger: number }>
  /**
   * Uses a permit once: what was done before is told again, and what is refused leaves nothing. Nor does what is done
   * when its call is no longer under way.
   */
  use(
    operator: OperatorId,
    permit: { nonce: string; digest: string; call: CallId },
    work: (unit: RecordTransaction) => Promise<PermitUseResult>,
  ): Promise<PermitUseResult>
}

export function createRecordTransactions(
  store: Store,
  clock: () => Date,
  settings: SettingsState = settingsState([]),
): RecordTransactions {
  const readingTransaction = (operator: OperatorId, limited: LimitedDb) =>
    recordTransaction({ ...silent, db: limited as unknown as Db, limited, operator, now: clock() })
  return {
    // Under the assistant's role from their beginning: what only reads needs no other.
    read: (operator, work) => store.readLimited(operator, (db) => work(readingTransaction(operator, db))),
    single: (operator, work) => store.singleLimited(operator, (db) => work(readingTransaction(operator, db))),
    shared: (operator, work) =>
      store.shared.together(operator, (db) => work(readingTransaction(operator, db))),
    settingsState: (operator) =>
      store.shared.alongside(operator, async (db) => {
        const { rows } = await sql<{ state: string }>`select ${settings} as state`.execute(db)
        return rows[0]?.state ?? ''
      }),
    change: (operator, work) => store.transact(operator, (unit) => work(recordTransaction(unit))),
    async use(operator, { nonce, digest, call }, work) {
      try {
        const { value } = await store.transact(operator, async (unit) => {
          const { db, now } = unit
          // Held until the end: a second use of the same permit waits here and then sees the first.
          const claimed = await db
            .insertInto('record_permit_uses')
            .values({ operator_id: operator, nonce, digest, reply: json(null), at: now })
            .onConflict((conflict) => conflict.column('nonce').doNothing())
            .returning('nonce')
            .executeTakeFirst()
          if (!claimed) {
            const known = await db
              .selectFrom('record_permit_uses')
              .select(['reply', 'digest'])
              .where('nonce', '=', nonce)
              .executeTakeFirstOrThrow()
            if (known.digest !== digest) throw new Refusal('the nonce belongs to another permit')
            return known.reply
          }
          const used = await work({ ...recordTransaction(unit), budgetExtensions: budgetExtensionsIn(unit) })
          if (used.kind === 'refused') throw new Refusal(used.reason)
          const kept = await db
            .updateTable('record_permit_uses')
            .set({ reply: json(used) })
            .where('nonce', '=', nonce)
            // A call that was ended in its place meanwhile does nothing any more.
            .where(({ not, exists, selectFrom }) =>
              not(
                exists(
                  selectFrom('calls').select('id').where('id', '=', call).where('state', '<>', 'intended'),
                ),
              ),
            )
            .returning('nonce')
            .executeTakeFirst()
          if (!kept) throw new Refusal('its run was ended before it was done')
          return used
        })
        return value
      } catch (error) {
        if (error instanceof Refusal) return { kind: 'refused', reason: error.message }
        throw error
      }
    },
  }
}

/** A transaction of the kernel for code outside of it. */
export function recordTransaction(unit: Unit): RecordTransaction {
  const { db, limited, operator, now, record, emit, afterCommit } = unit
  return {
    records: recordsOf(db, operator, now),
    sessions: sessionsIn({ db, operator, now }),
    holds: holdsIn({ db, operator, now }),
    forgetting: forgettingIn(db),
    budgetExtensions: noBudgetExtensions,
    operator,
    now,
    db: limited,
    lockRecords: (collection, which) => lockRecords(unit, collection, which),
    isolated: (work) => isolated(unit, work),
    record,
    emit,
    afterCommit,
  }
}

async function lockRecords(
  { db, operator }: Unit,
  collection: string,
  which: RecordSelection,
): Promise<void> {
  const these = 'id' in which ? sql`id = ${which.id}` : sql`data ->> ${which.field} = ${which.equals}`
  await sql`select 1 from records where operator_id = ${operator} and collection = ${collection} and ${these}
    order by id for update`.execute(db)
}

async function isolated<T>(unit: Unit, work: (inner: RecordTransaction) => Promise<T>): Promise<T> {
  const told: (() => void)[] = []
  const inner = recordTransaction({
    ...unit,
    record: (entry) => told.push(() => unit.record(entry)),
    emit: (event) => told.push(() => unit.emit(event)),
    afterCommit: (action) => told.push(() => unit.afterCommit(action)),
  })
  // By the kernel's handle, so that going back finds the kernel's role.
  await sql`savepoint isolated`.execute(unit.db)
  try {
    const value = await work(inner)
    await sql`release savepoint isolated`.execute(unit.db)
    for (const tell of told) tell()
    return value
  } catch (problem) {
    // Nothing is wrong with the work: the whole transaction is tried again.
    if (!isPassingFailure(problem)) await sql`rollback to savepoint isolated`.execute(unit.db)
    throw problem
  }
}

/** Of a read nothing is told, and nothing follows. */
const silent: Pick<Unit, 'record' | 'emit' | 'afterCommit'> = {
  record: () => undefined,
  emit: () => undefined,
  afterCommit: () => undefined,
}

/** Forgets uses that nobody can ask about any more: a permit lives for ten minutes, and its call has ended. */
export async function forgetRecordPermitUses(
  store: Store,
  operator: OperatorId,
  before: Date,
): Promise<void> {
  await store.single(operator, (db) =>
    sql`delete from record_permit_uses where at < ${before} and not exists (
      select 1 from calls where calls.nonce = record_permit_uses.nonce and calls.state = 'intended')`.execute(
      db,
    ),
  )
}

/** Takes the transaction back. */
class Refusal extends Error {}
