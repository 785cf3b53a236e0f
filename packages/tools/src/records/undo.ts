/** Owns the call that takes a change of records back. It names what is there now, and is refused once that is other. */
import { canonicalText, type JsonObject, memoriesCollection, type StoredRecord } from '@countersign/contract'
import { sha256Hex } from '@countersign/contract/node'

export interface RecordChange {
  readonly collection: string
  readonly id: string
  readonly before: StoredRecord | null
  readonly after: StoredRecord | null
}

export const restoring = 'restore_records'

export function recordUndo(changes: readonly RecordChange[]): { tool: string; args: JsonObject } {
  return {
    tool: restoring,
    args: {
      records: changes.map(({ collection, id, before, after }) => ({
        collection,
        id,
        expected: contentHashOf(collection, after),
        record: before && stateOf(before),
      })),
    },
  }
}

/** By content and not by version, so that two changes can be taken back one after the other. */
export function contentHashOf(
  collection: string,
  record: Pick<StoredRecord, 'data' | 'label'> | null | undefined,
): string {
  if (!record) return 'absent'
  const counts = countsOf(collection, record)
  const data = Object.fromEntries(Object.entries(record.data).filter(([field]) => !(field in counts)))
  return sha256Hex(canonicalText({ data, label: record.label && { ...record.label } }))
}

/** What a look at a record changes. It is no change of what the record says, and an undo leaves it as it is. */
export function countsOf(
  collection: string,
  record: Pick<StoredRecord, 'data'> | null | undefined,
): JsonObject {
  const fields = counted[collection] ?? []
  return Object.fromEntries(Object.entries(record?.data ?? {}).filter(([field]) => fields.includes(field)))
}

const counted: Readonly<Record<string, readonly string[]>> = {
  [memoriesCollection]: ['uses', 'lastUsedAt'],
}

function stateOf({ data, label, version, createdAt, updatedAt }: StoredRecord): JsonObject {
  return { data, label: label && { ...label }, version, createdAt, updatedAt }
}
