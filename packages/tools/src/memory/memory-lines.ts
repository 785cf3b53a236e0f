/**
 * Owns how memories are told to a model: a line of JSON each. The words stand in it as one JSON text, so that they can
 * be found and taken out of the logs when the memory is forgotten.
 */
import {
  type JsonObject,
  type MemoryChange,
  memoriesCollection,
  memoryIn,
  type StoredRecord,
} from '@countersign/contract'
import { shortened } from '../records/collection.ts'
import { type RecordChange, recordUndo } from '../records/undo.ts'

export function lineOf(record: StoredRecord): JsonObject {
  const { content, type, importance, tags, goal, pinned } = memoryIn(record)
  return {
    id: record.id,
    content,
    type,
    importance,
    ...(tags.length > 0 ? { tags } : {}),
    ...(goal === null ? {} : { goal }),
    ...(pinned ? { pinned } : {}),
    createdAt: record.createdAt,
  }
}

/** On the card of a call that names a memory by its id only. */
export function quoted(content: string): string {
  return `“${shortened(content, longestQuoted)}”`
}

export const longestQuoted = 80

export function undoing(changes: readonly MemoryChange[]) {
  return recordUndo(
    changes.map(
      ({ before, after }): RecordChange => ({ collection: memoriesCollection, id: after.id, before, after }),
    ),
  )
}

export function noMemory(id: string): string {
  return `There is no memory ${id} in use. Look ids up with recall or list_memories.`
}

export function noSuchMemory(id: string): string {
  return `There is no memory ${id}. Look ids up with recall or list_memories.`
}
