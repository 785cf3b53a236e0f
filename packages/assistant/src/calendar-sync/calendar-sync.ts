/** Owns when calendar accounts are synced: at their interval, when something was changed here, and when somebody asks. */
import {
  type CalendarAccount,
  type CalendarAccountView,
  CountersignError,
  type SyncReport,
} from '@countersign/contract'
import type { Actor } from '@countersign/kernel'
import { sql } from 'kysely'
import type { AssistantContext, AssistantTransaction } from '../assistant-context.ts'
import { createServerCalls, type ServerCallsOptions } from '../server-calls.ts'
import { calendarAccountsIn } from './accounts.ts'
import { conflictsIn, settleConflict } from './conflicts.ts'
import { collect, standing, syncAccount } from './sync.ts'

export interface CalendarSyncOptions extends ServerCallsOptions {
  readonly context: AssistantContext
}

const minute = 60_000
/** What changes one event changes another soon. */
const afterChangeMs = 3_000

/** The tools whose effect a server is to have. */
const changing =
  /^(batch_)?(add|update|delete)_(calendar_event|calendar_events|contact|contacts)$|^restore_records$/

export function createCalendarSync(options: CalendarSyncOptions) {
  const { context } = options
  const { operator, records, clock, onProblem } = context
  const calls = createServerCalls(options, 'calendar-sync')
  const closing = new AbortController()
  const underWay = new Map<string, Promise<SyncReport>>()
  let soon: NodeJS.Timeout | undefined

  const accounts = () => records.read(operator, ({ records: rows }) => calendarAccountsIn(rows))

  /** One at a time for each account; who comes meanwhile waits for it and then has one of their own. */
  async function sync(account: CalendarAccount): Promise<SyncReport> {
    const before = underWay.get(account.name)
    const work = (before ?? Promise.resolve())
      .catch(() => undefined)
      .then(() => syncAccount(account, { context, calls }, closing.signal))
    underWay.set(account.name, work)
    try {
      return await work
    } finally {
      if (underWay.get(account.name) === work) underWay.delete(account.name)
    }
  }

  /** Those whose time has come. */
  async function beat(): Promise<void> {
    const due = await records.read(operator, async (tx) => {
      const known = await calendarAccountsIn(tx.records)
      if (known.length === 0) return []
      const last = await lastSyncs(tx)
      return known.filter(({ name, everyMinutes }) => {
        const at = last.get(name)?.synced_at
        return !at || clock().getTime() - at.getTime() >= everyMinutes * minute
      })
    })
    for (const account of due) if (!underWay.has(account.name)) await sync(account)
  }

  async function syncAll(): Promise<void> {
    for (const account of await accounts()) if (!underWay.has(account.name)) await sync(account)
  }

  return {
    beat,
    async list(): Promise<CalendarAccountView[]> {
      return records.read(operator, async (tx) => {
        const last = await lastSyncs(tx)
        const views: CalendarAccountView[] = []
        for (const account of await calendarAccountsIn(tx.records)) {
          const seen = last.get(account.name)
          const lastSyncAt = seen?.synced_at?.toISOString() ?? null
          views.push({
            ...account,
            lastSyncAt,
            problem: seen?.problem ?? null,
            ...(await standing(tx, account.name)),
          })
        }
        return views
      })
    },
    async syncNow(name: string): Promise<SyncReport> {
      const account = (await accounts()).find((each) => each.name === name)
      if (!account)
        throw new CountersignError('not_found', `There is no calendar account ${name}.`, {
          next: 'List them with `countersign calendar-account list`.',
        })
      return sync(account)
    },
    conflicts: () => records.read(operator, conflictsIn),
    async settle(id: string, keep: 'mine' | 'theirs', actor: Actor): Promise<{ ledger: number }> {
      const { ledger } = await records.change(operator, async (tx) => {
        await settleConflict(tx, id, keep)
        tx.record({ type: 'calendar.conflict_settled', actor, data: { record: id, keep } })
      })
      later(0)
      return { ledger }
    },
    /** What is known of the account is forgotten; events and contacts stay. */
    async forget(tx: AssistantTransaction, account: string): Promise<void> {
      for (const table of ['synced_entries', 'synced_collections', 'synced_accounts'])
        await sql`delete from ${sql.id(table)} where operator_id = ${operator} and account = ${account}`.execute(
          tx.db,
        )
    },
    /** A run has ended that may have changed events or contacts, or brought them to a server. */
    ended(tx: AssistantTransaction, called: ReadonlySet<string>): void {
      if (called.has('push_synced_entries')) tx.afterCommit(() => void gather().catch(onProblem))
      if ([...called].some((tool) => changing.test(tool))) tx.afterCommit(() => later(afterChangeMs))
    },
    async close(): Promise<void> {
      closing.abort()
      clearTimeout(soon)
      await Promise.allSettled(underWay.values())
    },
  }

  async function gather(): Promise<void> {
    for (const { name } of await accounts())
      if (!underWay.has(name)) await collect(name, { context, calls }, { sent: 0 })
  }

  function later(ms: number): void {
    clearTimeout(soon)
    if (closing.signal.aborted) return
    soon = setTimeout(() => {
      syncAll().catch(onProblem)
    }, ms)
    soon.unref()
  }
}

async function lastSyncs({
  db,
  operator,
}: AssistantTransaction): Promise<Map<string, { synced_at: Date | null; problem: string | null }>> {
  const { rows } = await sql<{ account: string; synced_at: Date | null; problem: string | null }>`
    select account, synced_at, problem from synced_accounts where operator_id = ${operator}`.execute(db)
  return new Map(rows.map((row) => [row.account, row]))
}
