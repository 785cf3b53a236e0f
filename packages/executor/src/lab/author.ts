/**
 * What the author of a tool imports as `countersign/tools`: the definition, the schema language, the words of an end,
 * and the texts that people read on a card.
 */
import { canonicalText, type JsonObject, type StoredRecord, type ToolResult } from '@countersign/contract'
import { sha256Hex } from '@countersign/contract/node'
import { z } from 'zod'

export type {
  Effect,
  JsonObject,
  JsonValue,
  Preview,
  Resource,
  StoredRecord,
  ToolResult,
} from '@countersign/contract'
export { canonicalText } from '@countersign/contract'
export type { Desk, ExecutorTool, Found, Hands, HouseTool, Look, ToolDefinition } from '@countersign/tools'
export { defineTool, groups } from '@countersign/tools'
export { z } from 'zod'
export type { ToolExample } from './example.ts'

export interface Undo {
  readonly tool: string
  readonly args: JsonObject
}

export function succeeded(text: string, summary: string, undo?: Undo): ToolResult {
  return { ok: true, text, summary, undo: undo ? { tool: undo.tool, args: canonicalText(undo.args) } : null }
}

export function failed(reason: string): ToolResult {
  return { ok: false, text: reason, summary: reason, undo: null }
}

const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}]/u

/** Names something: no control, direction or zero-width characters, and composed. */
export function nameText(longest: number): z.ZodType<string> {
  return z
    .string()
    .min(1)
    .max(longest)
    .refine((text) => !invisible.test(text), 'contains an invisible character')
    .refine((text) => text.normalize('NFC') === text, 'is not in Unicode NFC')
}

export const pathText: z.ZodType<string> = nameText(4096)

/** The call that takes changes of records back. `before` is null for a record that was new, `after` for one that is gone. */
export function recordUndo(
  changes: readonly {
    readonly collection: string
    readonly id: string
    readonly before: StoredRecord | null
    readonly after: StoredRecord | null
  }[],
): Undo {
  const records = changes.map(({ collection, id, before, after }) => ({
    collection,
    id,
    expected: after ? sha256Hex(canonicalText({ data: after.data, label: labelOf(after) })) : 'absent',
    record: before && {
      data: before.data,
      label: labelOf(before),
      version: before.version,
      createdAt: before.createdAt,
      updatedAt: before.updatedAt,
    },
  }))
  return { tool: 'restore_records', args: { records } }
}

function labelOf({ label }: StoredRecord): JsonObject | null {
  return label && { ...label }
}
