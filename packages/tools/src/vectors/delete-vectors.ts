/** Takes texts out of a collection, with their vectors. */
import { entriesOf } from '@countersign/contract'
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import type { RecordToolContext } from '../record-tool-context.ts'
import { recordEffect, recordResource } from '../records/effects.ts'
import { counted } from '../records/record-lines.ts'
import { recordUndo } from '../records/undo.ts'
import { failed, succeeded } from '../result.ts'
import {
  changeFacts,
  collectionName,
  collectionProblem,
  entryId,
  mostAtOnce,
  presentEntries,
} from './entries.ts'

interface DeleteArgs {
  readonly collection: string
  readonly ids: readonly string[]
}

export const deleteVectors = defineTool({
  ...changeFacts,
  name: 'delete_vectors',
  version: '1',
  description: 'Delete texts of a vector collection, by id.',
  input: z.strictObject({ collection: collectionName, ids: z.array(entryId).min(1).max(mostAtOnce) }),
  tags: ['vector', 'embedding', 'remove', 'index', 'remove from knowledge base', 'rag'],
  runs: 'gateway',
  describe: ({ collection, ids }) =>
    `Delete ${counted(ids.length, 'text', 'texts')} of the collection ${collection}`,
  preview: ({ collection, ids }) => ({
    kind: 'table',
    title: `Delete from ${collection}`,
    columns: ['id'],
    rows: ids.map((id) => [id]),
  }),
  async effects(args, context) {
    const looked = await lookAt(args, context)
    if (looked.kind === 'invalid') return looked
    return {
      kind: 'found',
      resources: looked.present.map(({ id, version }) =>
        recordResource(entriesOf(args.collection), id, 'delete', version),
      ),
      effects: [recordEffect('delete', `${counted(args.ids.length, 'text', 'texts')} of ${args.collection}`)],
    }
  },
  async run(args, context) {
    const looked = await lookAt(args, context)
    if (looked.kind === 'invalid') return failed(looked.reason)
    const collection = entriesOf(args.collection)
    for (const { id, version } of looked.present) await context.records.remove(collection, id, version)
    const summary = `Deleted ${counted(args.ids.length, 'text', 'texts')} of ${args.collection}`
    const changes = looked.present.map((before) => ({ collection, id: before.id, before, after: null }))
    return succeeded(`${summary}.`, summary, recordUndo(changes))
  },
})

async function lookAt({ collection, ids }: DeleteArgs, context: RecordToolContext) {
  const reason = await collectionProblem(collection, context)
  if (reason !== undefined) return { kind: 'invalid', reason } as const
  const wanted = [...new Set(ids)]
  const found = await presentEntries(collection, wanted, context)
  const missing = wanted.filter((_, place) => found[place] === undefined)
  if (missing.length > 0)
    return {
      kind: 'invalid',
      reason: `${collection} has no ${missing.join(', ')}. semantic_search tells ids.`,
    } as const
  return { kind: 'as-asked', present: found.flatMap((record) => record ?? []) } as const
}
