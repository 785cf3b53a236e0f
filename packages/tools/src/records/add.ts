/** Owns the tools that add records of a collection: one, or up to a hundred at once. */
import type { JsonObject, StoredRecord, ToolResult } from '@countersign/contract'
import { z } from 'zod'
import { defineTool, type ToolDefinition } from '../definition.ts'
import type { Desk } from '../desk.ts'
import { failed, succeeded } from '../result.ts'
import { fieldsCard, rowsCard } from './cards.ts'
import { type Collection, make, newId, titleOf } from './collection.ts'
import { adding } from './effects.ts'
import { keptLabel, recordLabel } from './kept-label.ts'
import { counted, named } from './telling.ts'
import { restoring, undoOf } from './undo.ts'

export interface Words {
  readonly name: string
  readonly description: string
  readonly tags: readonly string[]
}

export const largestBatch = 100

export function addTool(collection: Collection, words: Words): ToolDefinition {
  return defineTool<JsonObject>({
    ...words,
    ...common(collection),
    runs: 'gateway',
    input: collection.added as unknown as z.ZodType<JsonObject>,
    describe: (args) => `Add ${collection.singular}: ${titleOf(collection, args)}`,
    preview: (args) => fieldsCard(`New ${collection.singular}`, args),
    async effects(args, desk) {
      const made = make(collection, args, desk.now)
      return made.kind === 'data' ? adding(collection, 1) : made
    },
    run: (args, desk) => add(collection, [args], desk),
  })
}

/** Takes the items under the name of the collection in its tools, such as `tasks`. */
export function batchAddTool(collection: Collection, items: string, words: Words): ToolDefinition {
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
    async effects(args, desk) {
      for (const [place, item] of itemsOf(args).entries()) {
        const made = make(collection, item, desk.now)
        if (made.kind === 'invalid') return { ...made, reason: `${items}.${place}: ${made.reason}` }
      }
      return adding(collection, itemsOf(args).length)
    },
    run: (args, desk) => add(collection, itemsOf(args), desk),
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

async function add(collection: Collection, items: readonly JsonObject[], desk: Desk): Promise<ToolResult> {
  const label = keptLabel(desk)
  const made = items.map((item) => make(collection, item, desk.now))
  const wrong = made.find((each) => each.kind === 'invalid')
  if (wrong) return failed(wrong.reason)
  const records: StoredRecord[] = []
  for (const each of made) {
    if (each.kind !== 'data') continue
    records.push(
      await desk.records.insert(collection.name, newId(collection.prefix, desk.uuid()), each.data, label),
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
    undoOf(changes),
  )
}
