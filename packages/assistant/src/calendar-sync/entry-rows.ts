/** Owns the rows of what is known of entries on calendar servers. */
import type { JsonObject, Label, RunId, SyncKind } from '@countersign/contract'
import type { SyncedFields } from '@countersign/tools'
import { type RawBuilder, sql } from 'kysely'
import type { AssistantTransaction } from '../assistant-context.ts'

export interface EntryRow {
  readonly account: string
  readonly collection: string
  readonly href: string
  readonly recurrence: string
  readonly kind: SyncKind
  readonly uid: string
  readonly etag: string | null
  readonly record_id: string | null
  readonly base: SyncedFields
  readonly record_version: number
  readonly label: Label | null
  readonly shared: boolean
  readonly repeats: boolean
  readonly looked_on: string
  readonly state: 'synced' | 'conflict' | 'stays'
  readonly theirs: SyncedFields | null
  readonly problem: string | null
  readonly push_run: RunId | null
  readonly push_place: number | null
  readonly push_fields: SyncedFields | null
  readonly push_version: number | null
}

type Tx = Pick<AssistantTransaction, 'db' | 'operator'>
type Key = Pick<EntryRow, 'account' | 'href' | 'recurrence'>

const jsonOf = (value: JsonObject | Label | null): RawBuilder<unknown> =>
  value === null ? sql`null` : sql`${JSON.stringify(value)}::jsonb`

export async function entryRows({ db, operator }: Tx, which: RawBuilder<unknown>): Promise<EntryRow[]> {
  const { rows } =
    await sql<EntryRow>`select * from synced_entries where operator_id = ${operator} and ${which}
    order by href, recurrence`.execute(db)
  return rows
}

export async function insertRow({ db, operator }: Tx, row: EntryRow): Promise<void> {
  await sql`insert into synced_entries (operator_id, account, collection, href, recurrence, kind, uid, etag, record_id,
      base, record_version, label, shared, repeats, looked_on, state, theirs, problem)
    values (${operator}, ${row.account}, ${row.collection}, ${row.href}, ${row.recurrence}, ${row.kind}, ${row.uid},
      ${row.etag}, ${row.record_id}, ${jsonOf(row.base)}, ${row.record_version}, ${jsonOf(row.label)}, ${row.shared},
      ${row.repeats}, ${row.looked_on}, ${row.state}, ${jsonOf(row.theirs)}, ${row.problem})`.execute(db)
}

export type RowChange = Partial<Omit<EntryRow, 'account' | 'href' | 'recurrence' | 'kind'>>

const jsonColumns = new Set(['base', 'label', 'theirs', 'push_fields'])

export async function updateRow(tx: Tx, key: Key, change: RowChange): Promise<void> {
  await updateRows(
    tx,
    sql`account = ${key.account} and href = ${key.href} and recurrence = ${key.recurrence}`,
    change,
  )
}

export async function updateRows(
  { db, operator }: Tx,
  which: RawBuilder<unknown>,
  change: RowChange,
): Promise<void> {
  const sets = Object.entries(change).map(
    ([name, value]) =>
      sql`${sql.id(name)} = ${jsonColumns.has(name) ? jsonOf(value as JsonObject | null) : sql`${value}`}`,
  )
  if (sets.length === 0) return
  await sql`update synced_entries set ${sql.join(sets)} where operator_id = ${operator} and ${which}`.execute(
    db,
  )
}

export async function deleteRow({ db, operator }: Tx, key: Key): Promise<void> {
  await sql`delete from synced_entries where operator_id = ${operator} and account = ${key.account}
    and href = ${key.href} and recurrence = ${key.recurrence}`.execute(db)
}

/** So that two takings of one account do not meet. */
export async function lockAccount({ db, operator }: Tx, account: string): Promise<void> {
  await sql`insert into synced_accounts (operator_id, account) values (${operator}, ${account})
    on conflict (operator_id, account) do nothing`.execute(db)
  await sql`select 1 from synced_accounts where operator_id = ${operator} and account = ${account} for update`.execute(
    db,
  )
}

export const noPush = { push_run: null, push_place: null, push_fields: null, push_version: null } as const
