/** Owns what the operator is shown of conflicts, and how one is settled: the other side follows. */
import { CountersignError, joinLabels, type SyncConflict } from '@countersign/contract'
import { newRecordId, syncedLabel } from '@countersign/tools'
import { sql } from 'kysely'
import type { AssistantTransaction } from '../assistant-context.ts'
import { deleteRow, type EntryRow, entryRows, noPush, updateRow } from './entry-rows.ts'
import { collectionOf, dataWith, fieldsOf, titleOf } from './fields.ts'
import { recordOf } from './take.ts'

export async function conflictsIn(tx: AssistantTransaction): Promise<SyncConflict[]> {
  const rows = await entryRows(tx, sql`state = 'conflict'`)
  const shown: SyncConflict[] = []
  for (const row of rows.slice(0, 500)) {
    const record = await recordOf(tx, row)
    const mine = record ? fieldsOf(row.kind, record.data) : null
    const { kind, account, theirs } = row
    shown.push({
      id: row.record_id ?? '',
      account,
      kind,
      title: titleOf(kind, mine ?? theirs ?? row.base),
      mine,
      theirs,
    })
  }
  return shown
}

export async function settleConflict(
  tx: AssistantTransaction,
  id: string,
  keep: 'mine' | 'theirs',
): Promise<void> {
  const [row] = await entryRows(tx, sql`state = 'conflict' and record_id = ${id}`)
  if (!row)
    throw new CountersignError('not_found', `There is no conflict ${id}.`, {
      next: 'See them with `countersign calendar-account conflicts`.',
    })
  await (keep === 'mine' ? keepMine(tx, row) : keepTheirs(tx, row))
}

/** Brought with the next sync, on the state that the server has now. */
async function keepMine(tx: AssistantTransaction, row: EntryRow): Promise<void> {
  const change = {
    state: 'synced',
    base: row.theirs ?? {},
    record_version: 0,
    theirs: null,
    ...noPush,
  } as const
  if (row.theirs === null && !(await recordOf(tx, row))) return deleteRow(tx, row)
  await updateRow(tx, row, change)
}

async function keepTheirs(tx: AssistantTransaction, row: EntryRow): Promise<void> {
  const { kind, theirs } = row
  const { name, prefix } = collectionOf(kind)
  const record = await recordOf(tx, row)
  if (theirs === null) {
    if (record) await tx.records.remove(name, record.id, record.version)
    return deleteRow(tx, row)
  }
  const data = dataWith(kind, record?.data ?? {}, theirs, tx.now)
  if (!data)
    throw new CountersignError('conflict', 'What the server has makes no record here. Keep mine instead.')
  // What the record holds besides stays, and is worth what it was.
  const label = record?.label ? joinLabels(record.label, syncedLabel(row.account)) : syncedLabel(row.account)
  const kept = record
    ? await tx.records.replace(name, record.id, record.version, data, label)
    : await tx.records.insert(name, row.record_id ?? newRecordId(prefix, row.uid), data, label)
  await updateRow(tx, row, {
    state: 'synced',
    base: theirs,
    record_id: kept.id,
    record_version: kept.version,
    label,
    theirs: null,
    ...noPush,
  })
}
