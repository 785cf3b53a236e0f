/** Adds texts to a collection with their vectors, or puts other texts in the place of those that are there. */
import { type EmbeddedTexts, entriesOf, type ToolResult } from '@countersign/contract'
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import type { RecordToolContext } from '../record-tool-context.ts'
import { rowsCard } from '../records/cards.ts'
import { recordEffect, recordResource } from '../records/effects.ts'
import { keptLabel } from '../records/kept-label.ts'
import { counted } from '../records/record-lines.ts'
import { type RecordChange, recordUndo } from '../records/undo.ts'
import { failed, succeeded } from '../result.ts'
import {
  changeFacts,
  collectionName,
  collectionProblem,
  dataOf,
  entriesIn,
  mostAtOnce,
  mostEntries,
  presentEntries,
  VectorEntry,
} from './entries.ts'

interface UpsertArgs {
  readonly collection: string
  readonly vectors: readonly VectorEntry[]
}

export const upsertVectors = defineTool({
  ...changeFacts,
  name: 'upsert_vectors',
  version: '1',
  description:
    'Add texts to a vector collection, or replace those with the same id. Their vectors are made from the text.',
  input: z.strictObject({
    collection: collectionName,
    vectors: z.array(VectorEntry).min(1).max(mostAtOnce),
  }),
  tags: ['vector', 'embedding', 'index', 'insert', 'add to knowledge base', 'store text', 'rag', 'update'],
  runs: 'gateway',
  describe: ({ collection, vectors }) =>
    `Put ${counted(vectors.length, 'text', 'texts')} into the collection ${collection}`,
  preview: ({ collection, vectors }) =>
    rowsCard(
      `Into ${collection}`,
      ['id', 'text', 'metadata'],
      vectors.map((entry) => ({ id: entry.id, ...dataOf(entry) })),
    ),
  async effects(args, context) {
    const looked = await lookAt(args, context)
    if (looked.kind === 'invalid') return looked
    const { collection, vectors } = args
    return {
      kind: 'found',
      resources: vectors.map(({ id }, place) =>
        recordResource(entriesOf(collection), id, 'write', looked.present[place]?.version ?? null),
      ),
      effects: [recordEffect('write', `${counted(vectors.length, 'text', 'texts')} of ${collection}`)],
    }
  },
  texts: ({ vectors }) => vectors.map(({ text }) => text),
  async run(args, context) {
    const looked = await lookAt(args, context)
    if (looked.kind === 'invalid') return failed(looked.reason)
    const { collection, vectors } = args
    const changes: RecordChange[] = []
    for (const [place, entry] of vectors.entries()) {
      const before = looked.present[place] ?? null
      // Nothing of what was there stays, so neither does what that was worth.
      const kept = [dataOf(entry), keptLabel(context)] as const
      const after = before
        ? await context.records.replace(entriesOf(collection), entry.id, before.version, ...kept)
        : await context.records.insert(entriesOf(collection), entry.id, ...kept)
      changes.push({ collection: entriesOf(collection), id: entry.id, before, after })
    }
    await keepVectors(args, context)
    return told(args, changes, context.embedded)
  },
})

async function lookAt(
  { collection, vectors }: UpsertArgs,
  context: RecordToolContext,
): Promise<
  | { readonly kind: 'as-asked'; readonly present: Awaited<ReturnType<typeof presentEntries>> }
  | { readonly kind: 'invalid'; readonly reason: string }
> {
  const reason = await collectionProblem(collection, context)
  if (reason !== undefined) return { kind: 'invalid', reason }
  const ids = vectors.map(({ id }) => id)
  const twice = ids.find((id, place) => ids.indexOf(id) !== place)
  if (twice !== undefined) return { kind: 'invalid', reason: `The id ${twice} stands there twice.` }
  const present = await presentEntries(collection, ids, context)
  const fresh = present.filter((record) => record === undefined).length
  const there = await entriesIn(collection, context)
  return there + fresh > mostEntries
    ? {
        kind: 'invalid',
        reason: `${collection} has ${there} texts, and can have ${mostEntries}. Delete some with delete_vectors, or make another collection.`,
      }
    : { kind: 'as-asked', present }
}

async function keepVectors(
  { collection, vectors }: UpsertArgs,
  { embedded, assistant }: RecordToolContext,
): Promise<void> {
  if (embedded?.kind !== 'embedded') return
  const made = vectors.flatMap(({ id }, place) => {
    const vector = embedded.vectors[place]
    return vector ? [{ id, vector }] : []
  })
  await assistant.content.keep(collection, made, embedded.model)
}

function told(
  { collection, vectors }: UpsertArgs,
  changes: readonly RecordChange[],
  embedded: EmbeddedTexts | undefined,
): ToolResult {
  const replaced = changes.filter(({ before }) => before !== null).length
  const summary = `Put ${counted(vectors.length, 'text', 'texts')} into ${collection}`
  const how =
    embedded?.kind === 'embedded'
      ? `embedded with ${embedded.model}`
      : `found by their words until they are embedded: ${embedded?.reason ?? 'there is no model for embeddings'}`
  return succeeded(
    `${summary}, ${replaced === 0 ? 'all new' : `${replaced} in the place of others`}; ${how}.`,
    summary,
    recordUndo(changes),
  )
}
