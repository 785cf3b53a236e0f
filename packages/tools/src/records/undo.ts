/** Owns the call that takes a change of records back. It names what is there now, and is refused once that is other. */
import { canonicalText, type JsonObject, type StoredRecord } from '@countersign/contract'
import { sha256Hex } from '@countersign/contract/node'

export interface Changed {
  readonly collection: string
  readonly id: string
  readonly before: StoredRecord | null
  readonly after: StoredRecord | null
}

export const restoring = 'restore_records'

export function undoOf(changes: readonly Changed[]): { tool: string; args: JsonObject } {
  return {
    tool: restoring,
    args: {
      records: changes.map(({ collection, id, before, after }) => ({
        collection,
        id,
        expected: contentOf(after),
        record: before && stateOf(before),
      })),
    },
  }
}

/** By content and not by version, so that two changes can be taken back one after the other. */
export function contentOf(record: Pick<StoredRecord, 'data' | 'label'> | null | undefined): string {
  return record
    ? sha256Hex(canonicalText({ data: record.data, label: record.label && { ...record.label } }))
    : 'absent'
}

function stateOf({ data, label, version, createdAt, updatedAt }: StoredRecord): JsonObject {
  return { data, label: label && { ...label }, version, createdAt, updatedAt }
}
