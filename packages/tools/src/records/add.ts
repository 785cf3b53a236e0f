/** Owns the tools that add records of a collection: one, or up to a hundred at once. */
import type { JsonObject, StoredRecord, ToolResult } from '@countersign/contract'
import { z } from 'zod'
import { defineTool, type ToolDefinition } from '../definition.ts'
import type { RecordToolContext } from '../record-tool-context.ts'
import { failed, succeeded } from '../result.ts'
import { fieldsCard, rowsCard } from './cards.ts'
import { type Collection, make, newId, titleOf } from './collection.ts'
import { adding } from './effects.ts'
import { keptLabel, recordLabel } from './kept-label.ts'
import { counted, named } from './record-lines.ts'
import { recordUndo, restoring } from './undo.ts'

export interface ToolText {
  readonly name: string
  readonly description: string
  readonly tags: readonly string[]
}

export const largestBatch = 100

export function addTool(collection: Collection, words: ToolText): ToolDefinition {
  return defineTool<JsonObject>({
    ...words,
    ...common(collection),
    runs: 'gateway',
    input: collection.added as unknown as z.ZodType<JsonObject>,
    describe: (args) => `Add ${collection.singular}: ${titleOf(collection, args)}`,
    preview: (args) => fieldsCard(`New ${collection.singular}`, args),
    async effects(args, context) {
      const made = make(collection, args, context.now)
      return made.kind === 'data' ? adding(collection, 1) : made
    },
    run: (args, context) => add(collection, [args], context),
  })
}

/** Takes the items under the name of the collection in its tools, such as `tasks`. */
export function batchAddTool(collection: Collection, items: string, words: ToolText): ToolDefinition {
  const itemsOf = (args: JsonObject) => args[items] as JsonObject[]
  return defineTool<JsonObject>({
    ...words,
    ...common(collection),
    runs: 'gateway',
    input: z.strictObject({
      [items]: z.array(collection.added).min(1).max(largestBatch),
    }) as unknown as z.ZodType<JsonObject>,
    describe: (args) => `Add ${counted(itemsOf(args).length, collection.singular, collection.name)}`,
    preview: (args) => rowsCard(`New ${collection.name}`, collection.columns, itemsOf(args)),
    async effects(args, context) {
      for (const [index, item] of itemsOf(args).entries()) {
        const made = make(collection, item, context.now)
        if (made.kind === 'invalid') return { ...made, reason: `${items}.${index}: ${made.reason}` }
      }
      return adding(collection, itemsOf(args).length)
    },
    run: (args, context) => add(collection, itemsOf(args), context),
  })
}

function common({ category, group }: Collection) {
  return {
    version: '1',
    category,
    group,
    effect: 'idempotent',
    floor: 1,
    output: recordLabel,
    undo: restoring,
  } as const
}

async function add(
  collection: Collection,
  items: readonly JsonObject[],
  context: RecordToolContext,
): Promise<ToolResult> {
  const label = keptLabel(context)
  const made = items.map((item) => make(collection, item, context.now))
  const wrong = made.find((each) => each.kind === 'invalid')
  if (wrong) return failed(wrong.reason)
  const records: StoredRecord[] = []
  for (const each of made) {
    if (each.kind !== 'data') continue
    records.push(
      await context.records.insert(
        collection.name,
        newId(collection.prefix, context.uuid()),
        each.data,
        label,
      ),
    )
  }
  const first = records[0] ? titleOf(collection, records[0].data) : ''
  const summary =
    records.length === 1
      ? `Added the ${collection.singular} “${first}”`
      : `Added ${records.length} ${collection.name}`
  const changes = records.map((after) => ({ collection: collection.name, id: after.id, before: null, after }))
  return succeeded(
    `Added ${counted(records.length, collection.singular, collection.name)}.\n${named(collection, records)}`,
    summary,
    recordUndo(changes),
  )
}
