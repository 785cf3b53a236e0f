/** Owns the tool that lists records of a collection, narrowed down by its filters and a search. */
import type { JsonObject } from '@countersign/contract'
import { z } from 'zod'
import { defineTool, type ResultLimit, type ToolDefinition } from '../definition.ts'
import { succeeded } from '../result.ts'
import type { ToolText } from './add.ts'
import { fieldsCard } from './cards.ts'
import { type Collection, queryOf, textIn } from './collection.ts'
import { listing } from './effects.ts'
import { recordLabel, tellingOf } from './kept-label.ts'
import { whole } from './record-lines.ts'

export const listLimit = { param: 'limit', max: 50, default: 20 } as const

/** `narrow` says what a list without any filter is narrowed down to. */
export function listTool(
  collection: Collection,
  words: ToolText & { readonly narrow?: (now: Date) => JsonObject; readonly limit?: ResultLimit },
): ToolDefinition {
  const { narrow, limit: most = listLimit, ...told } = words
  return defineTool<JsonObject>({
    ...told,
    version: '1',
    category: collection.category,
    group: collection.group,
    effect: 'pure',
    floor: 0,
    output: recordLabel,
    limit: most,
    runs: 'gateway',
    input: collection.narrowed.extend({
      search: z.string().max(500).exactOptional(),
      limit: z.int().min(1).default(most.default),
    }) as unknown as z.ZodType<JsonObject>,
    describe(args) {
      const names = Object.keys(args).filter((name) => name !== listLimit.param)
      const by = names.map((name) => `${name} ${textIn(args, name)}`)
      return by.length === 0 ? `List ${collection.name}` : `List ${collection.name}: ${by.join(', ')}`
    },
    preview: (args) => fieldsCard(`List ${collection.name}`, args),
    effects: async () => listing(collection.name, collection.name),
    async run(args, context) {
      const { limit, ...given } = args
      const wanted = narrow && Object.keys(given).length === 0 ? narrow(context.now) : given
      const asked = queryOf(collection, wanted, { limit: Number(limit) })
      const { records, total } = await context.records.list(collection.name, asked)
      const head =
        total === 0 ? `No ${collection.name} found.` : `${records.length} of ${total} ${collection.name}:`
      const text = records.length === 0 ? head : `${head}\n${whole(collection, records)}`
      return tellingOf(records, succeeded(text, `Found ${total} ${collection.name}`))
    },
  })
}
