/**
 * Owns what becomes of an entry that the server changed: a record is made, changed or removed, unless it was changed here
 * as well. Then neither is lost: the operator is shown both.
 */
import { joinLabels, type StoredRecord, type SyncKind } from '@countersign/contract'
import {
  newRecordId,
  type ServerResource,
  type SyncedFields,
  syncedLabel,
  wholeFields,
} from '@countersign/tools'
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
import { collectionOf, dataWith, fieldsOf, isSame, titleOf } from './fields.ts'

export interface TakeParts {
  readonly account: string
  readonly collection: string
  readonly kind: SyncKind
  readonly today: string
  readonly uuid: () => string
}

export interface Taken {
  taken: number
  removed: number
}

/** One entry of the server with all that it stands for, as it is there now. */
export async function takeResource(
  tx: AssistantTransaction,
  resource: ServerResource,
  parts: TakeParts,
  counts: Taken,
): Promise<void> {
  const { href, etag, uid, shared, repeats, problem } = resource
  const rows = await rowsAt(tx, parts.account, href)
  const isUsable = resource.entries.some(
    (entry) => dataWith(parts.kind, {}, wholeFields(resource, entry), tx.now) !== undefined,
  )
  if (!isUsable && resource.entries.length > 0) {
    const why = 'It has values that no event or contact here can have.'
    return keepPlace(tx, { ...resource, problem: problem ?? why }, rows, parts)
  }
  if (resource.entries.length === 0 && problem !== null) return keepPlace(tx, resource, rows, parts)
  for (const entry of resource.entries) {
    const row = rows.find(({ recurrence }) => recurrence === entry.recurrence)
    const fields = wholeFields(resource, entry)
    const seen = { etag, uid, shared, repeats, looked_on: parts.today, problem }
    await takeEntry(tx, { href, recurrence: entry.recurrence, fields, seen, row }, parts, counts)
  }
  // A series that could not be worked out is its beginning alone, and says nothing of the others.
  const isWorkedOut = problem === null || resource.entries.length > 1
  const left = rows.filter((row) => !resource.entries.some(({ recurrence }) => recurrence === row.recurrence))
  if (isWorkedOut) for (const row of left) await takeGone(tx, row, counts)
  await updateRows(tx, sql`account = ${parts.account} and href = ${href} and etag is not null`, { etag })
  // Nothing of it is in sight, and it is known not to be fetched again before something may be.
  const isInSight = (await rowsAt(tx, parts.account, href)).length > 0
  if (resource.entries.length === 0 && !isInSight) await keepPlace(tx, resource, [], parts)
}

export async function rowsAt(tx: AssistantTransaction, account: string, href: string): Promise<EntryRow[]> {
  return entryRows(tx, sql`account = ${account} and href = ${href}`)
}

interface SeenEntry {
  readonly href: string
  readonly recurrence: string
  readonly fields: SyncedFields
  readonly seen: Pick<EntryRow, 'etag' | 'uid' | 'shared' | 'repeats' | 'looked_on' | 'problem'>
  readonly row: EntryRow | undefined
}

async function takeEntry(
  tx: AssistantTransaction,
  { href, recurrence, fields, seen, row }: SeenEntry,
  parts: TakeParts,
  counts: Taken,
): Promise<void> {
  const { account, collection, kind } = parts
  const label = syncedLabel(account)
  const made = dataWith(kind, {}, fields, tx.now)
  // What our records would not take stays there as it is.
  if (!made) return
  const theirs = fieldsOf(kind, made)
  if (!row || row.record_id === null) {
    if (row) await deleteRow(tx, row)
    const own = await ownRecord(tx, kind, seen.uid, recurrence)
    const record =
      own ??
      (await tx.records.insert(
        collectionOf(kind).name,
        newRecordId(collectionOf(kind).prefix, parts.uuid()),
        made,
        label,
      ))
    await insertRow(tx, {
      account,
      collection,
      href,
      recurrence,
      kind,
      ...seen,
      record_id: record.id,
      base: theirs,
      record_version: own ? 0 : record.version,
      label: record.label,
      state: 'synced',
      theirs: null,
      ...noPush,
    })
    counts.taken += own ? 0 : 1
    return
  }
  const key = { account, href, recurrence }
  const record = await recordOf(tx, row)
  // Made here, and the answer to its making was lost.
  const isOwn = row.etag === null && seen.uid === row.record_id
  const base = isOwn ? theirs : row.base
  const isChangedHere = !record || !isSame(fieldsOf(kind, record.data), base)
  const isChangedThere = !isSame(theirs, base)
  if (record && isSame(fieldsOf(kind, record.data), theirs))
    return updateRow(tx, key, {
      ...seen,
      base: theirs,
      record_version: record.version,
      state: 'synced',
      theirs: null,
      ...noPush,
    })
  if (!isChangedThere && row.state !== 'conflict') return updateRow(tx, key, { ...seen, base })
  if (isChangedHere || !record) return conflict(tx, row, { seen, theirs, mine: record?.data ?? row.base })
  const data = dataWith(kind, record.data, theirs, tx.now)
  if (!data) return
  const joined = record.label ? joinLabels(record.label, label) : label
  const replaced = await tx.records.replace(collectionOf(kind).name, record.id, record.version, data, joined)
  counts.taken += 1
  await updateRow(tx, key, {
    ...seen,
    base: theirs,
    record_version: replaced.version,
    label: joined,
    state: 'synced',
    theirs: null,
  })
}

/** The record that an earlier sync made the entry of. */
async function ownRecord(
  tx: AssistantTransaction,
  kind: SyncKind,
  uid: string,
  recurrence: string,
): Promise<StoredRecord | undefined> {
  if (recurrence !== '' || uid === '') return undefined
  const record = await tx.records.get(collectionOf(kind).name, uid.slice(0, 100))
  const known = record && (await entryRows(tx, sql`record_id = ${record.id}`))
  return known?.length === 0 ? record : undefined
}

export async function recordOf(tx: AssistantTransaction, row: EntryRow): Promise<StoredRecord | undefined> {
  return row.record_id === null ? undefined : tx.records.get(collectionOf(row.kind).name, row.record_id)
}

/** The server has it no longer. What was changed here meanwhile is not lost with it. */
export async function takeGone(
  tx: AssistantTransaction,
  row: EntryRow,
  counts: Taken,
  doubtful = false,
): Promise<void> {
  // Not there yet.
  if (row.etag === null) return
  const record = await recordOf(tx, row)
  if (!record) return deleteRow(tx, row)
  if (doubtful || !isSame(fieldsOf(row.kind, record.data), row.base))
    return conflict(tx, row, { seen: { etag: null }, theirs: null, mine: record.data })
  await tx.records.remove(collectionOf(row.kind).name, record.id, record.version)
  await deleteRow(tx, row)
  counts.removed += 1
}

async function conflict(
  tx: AssistantTransaction,
  row: EntryRow,
  {
    seen,
    theirs,
    mine,
  }: {
    readonly seen: Partial<EntryRow>
    readonly theirs: SyncedFields | null
    readonly mine: Readonly<Record<string, unknown>>
  },
): Promise<void> {
  await updateRow(tx, row, { ...seen, state: 'conflict', theirs, ...noPush })
  if (row.state === 'conflict') return
  tx.emit({
    type: 'notice',
    about: row.record_id ?? row.href,
    text: `“${titleOf(row.kind, mine)}” was changed here and in the calendar account ${row.account}. Choose with \`countersign calendar-account conflicts\`.`,
  })
  tx.record({
    type: 'calendar.conflict',
    actor: { kind: 'gateway', id: 'calendar-sync' },
    data: { account: row.account, kind: row.kind, record: row.record_id ?? '' },
  })
}

/** It stays on the server as it is, and so does what was taken of it before. */
async function keepPlace(
  tx: AssistantTransaction,
  { href, etag, uid, repeats, problem }: ServerResource,
  rows: readonly EntryRow[],
  { account, collection, kind, today }: TakeParts,
): Promise<void> {
  if (rows.length > 0) return updateRows(tx, sql`account = ${account} and href = ${href}`, { etag, problem })
  await insertRow(tx, {
    account,
    collection,
    href,
    recurrence: '',
    kind,
    uid,
    etag,
    record_id: null,
    base: {},
    record_version: 0,
    label: null,
    shared: false,
    repeats,
    looked_on: today,
    state: 'synced',
    theirs: null,
    problem,
    ...noPush,
  })
}
