/**
 * Owns which changes of records go to a server, and what follows when one has been brought there or was not. A change
 * goes out as a call through the door, with the label of its record: what strangers or a secret had a part in asks.
 */
import {
  type CalendarAccount,
  joinLabels,
  type Label,
  operatorLabel,
  type RunId,
} from '@countersign/contract'
import { type EntryChange, type PushedEntry, type SyncedFields, syncLimits } from '@countersign/tools'
import { sql } from 'kysely'
import type { AssistantTransaction } from '../assistant-context.ts'
import {
  deleteRow,
  type EntryRow,
  entryRows,
  insertRow,
  noPush,
  updateRow,
  updateRows,
} from './entry-rows.ts'
import { collectionOf, difference, fieldsOf, isSame, kinds, titleOf } from './fields.ts'
import { recordOf } from './take.ts'

/** The tools by which a record is gone. */
const removing = '^(batch_)?delete_|^restore_records$'

/** A change and the row that it is for. */
export interface Bringing {
  readonly row: EntryRow
  readonly change: EntryChange
  readonly label: Label
  /** Null for a deletion. */
  readonly fields: SyncedFields | null
  readonly version: number
}

/** Records that are nowhere else yet get their place on the server, so that they can be made there only once. */
export async function placeNew(
  tx: AssistantTransaction,
  { name: account, receivesNew, direction }: CalendarAccount,
  today: string,
): Promise<void> {
  if (!receivesNew || direction === 'pull') return
  for (const kind of kinds) {
    const { rows } = await sql<{ href: string }>`select href from synced_collections
      where operator_id = ${tx.operator} and account = ${account} and kind = ${kind} order by name, href limit 1`.execute(
      tx.db,
    )
    const [collection] = rows
    if (!collection) continue
    const { rows: fresh } = await sql<{ id: string }>`select r.id from records r
      where r.operator_id = ${tx.operator} and r.collection = ${collectionOf(kind).name} and not exists (
        select 1 from synced_entries e where e.operator_id = r.operator_id and e.record_id = r.id)
      order by r.id limit ${syncLimits.entries}`.execute(tx.db)
    for (const { id } of fresh)
      await insertRow(tx, {
        account,
        collection: collection.href,
        href: `${collection.href.replace(/\/?$/, '/')}${id}.${kind === 'event' ? 'ics' : 'vcf'}`,
        recurrence: '',
        kind,
        uid: id,
        etag: null,
        record_id: id,
        base: {},
        record_version: 0,
        label: null,
        shared: false,
        repeats: false,
        looked_on: today,
        state: 'synced',
        theirs: null,
        problem: null,
        ...noPush,
      })
  }
}

/** What differs from the server and is not under way: one change for each of its entries, the next when that one is done. */
export async function changesToBring(tx: AssistantTransaction, account: string): Promise<Bringing[]> {
  const rows = await entryRows(
    tx,
    sql`account = ${account} and state <> 'conflict' and push_run is null and record_id is not null and not exists (
      select 1 from records r where r.operator_id = synced_entries.operator_id and r.id = synced_entries.record_id
        and r.version = synced_entries.record_version)`,
  )
  const found = new Map<string, Bringing>()
  for (const row of rows) {
    const bringing = await changeOf(tx, row)
    if (bringing && !found.has(row.href)) found.set(row.href, bringing)
  }
  return [...found.values()]
}

async function changeOf(tx: AssistantTransaction, row: EntryRow): Promise<Bringing | undefined> {
  const { kind, href, etag, uid, recurrence, shared: others } = row
  const record = await recordOf(tx, row)
  const about = { kind, href, etag, uid, recurrence, others, set: {}, unset: [] }
  if (!record) {
    if (etag === null) {
      await deleteRow(tx, row)
      return undefined
    }
    // A deletion that was denied is not asked about again.
    if (row.state === 'stays') return undefined
    const change: EntryChange = { ...about, action: 'delete', title: titleOf(kind, row.base) }
    return { row, change, label: await labelOfDeletion(tx, row), fields: null, version: 0 }
  }
  const fields = fieldsOf(kind, record.data)
  if (isSame(fields, row.base) && etag !== null) {
    await updateRow(tx, row, { record_version: record.version, label: record.label })
    return undefined
  }
  const change: EntryChange = {
    ...about,
    action: 'write',
    title: titleOf(kind, fields),
    ...difference(row.base, fields),
  }
  return { row, change, label: record.label ?? operatorLabel, fields, version: record.version }
}

/** Worth no more than what led to it: a record that is gone says nothing of that, the calls that removed it do. */
async function labelOfDeletion({ db, operator }: AssistantTransaction, row: EntryRow): Promise<Label> {
  const { rows } = await sql<{ label: Label }>`select r.label from calls c join runs r on r.id = c.run_id
    where c.operator_id = ${operator} and c.outcome = 'ok' and c.tool ~ ${removing}
      and position(${row.record_id ?? ''} in c.args) > 0`.execute(db)
  const led = rows
    .map(({ label }) => label)
    .filter(({ integrity, confidentiality }) => integrity === 'untrusted' || confidentiality === 'secret')
  const all = [...(row.label ? [row.label] : []), ...led]
  return all.length === 0 ? operatorLabel : all.reduce(joinLabels)
}

/** What nobody need be asked about goes together; of the rest each is decided by itself. */
export function inCalls(changes: readonly Bringing[]): Bringing[][] {
  const isPlain = ({ label, change }: Bringing) => label === operatorLabel && !change.others
  const plain = changes.filter(isPlain)
  const calls: Bringing[][] = []
  for (let at = 0; at < plain.length; at += syncLimits.pushed)
    calls.push(plain.slice(at, at + syncLimits.pushed))
  return [...calls, ...changes.filter((each) => !isPlain(each)).map((each) => [each])]
}

export async function noteUnderWay(
  tx: AssistantTransaction,
  call: readonly Bringing[],
  run: RunId,
): Promise<void> {
  for (const [place, { row, fields, version }] of call.entries())
    await updateRow(tx, row, { push_run: run, push_place: place, push_fields: fields, push_version: version })
}

/** Says why, where the server did not take it for a reason that a next try may not have. */
export async function concludeBringing(
  tx: AssistantTransaction,
  row: EntryRow,
  end: PushedEntry | { readonly kind: 'denied' },
): Promise<string | null> {
  switch (end.kind) {
    case 'written':
      await written(tx, row, end.etag)
      return null
    case 'moved':
      // The next look at the server says how it is there.
      await updateRow(tx, row, noPush)
      return null
    case 'shared':
      await updateRow(tx, row, { ...noPush, shared: true })
      return null
    case 'denied':
      await updateRow(tx, row, { ...noPush, state: 'stays', record_version: row.push_version ?? 0 })
      return null
    case 'failed':
      await updateRow(tx, row, noPush)
      return end.reason
  }
}

async function written(tx: AssistantTransaction, row: EntryRow, etag: string | null): Promise<void> {
  const isWhole = row.recurrence === ''
  if (row.push_fields === null) await deleteRow(tx, row)
  else {
    const record = await recordOf(tx, row)
    await updateRow(tx, row, {
      base: row.push_fields,
      record_version: row.push_version ?? 0,
      label: record?.label ?? null,
      state: 'synced',
      problem: null,
      ...noPush,
    })
  }
  // Without a name for the new state the next look finds a difference, and fetches it.
  if (!isWhole || row.push_fields !== null)
    await updateRows(tx, sql`account = ${row.account} and href = ${row.href}`, { etag: etag ?? 'written' })
}
