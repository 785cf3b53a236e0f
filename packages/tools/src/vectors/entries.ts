/** Owns what the tools for vectors have in common: the bounds of collections and of what is kept in them. */
import {
  builtInCollections,
  entriesOf,
  isBuiltInCollection,
  type JsonObject,
  operatorLabel,
  type StoredRecord,
  vectorCollections,
} from '@countersign/contract'
import { z } from 'zod'
import type { RecordToolContext } from '../record-tool-context.ts'
import { recordLabel } from '../records/kept-label.ts'
import { restoring } from '../records/undo.ts'

export const mostCollections = 50
export const mostEntries = 10_000
export const mostAtOnce = 50
export const longestEntry = 8_000
export const longestMetadata = 2_000
/** Of one vector; more than any model has that is offered today. */
export const mostDimensions = 4_096

const vectorFacts = { category: 'vectors', group: 'vectorSearch', output: recordLabel } as const
export const lookFacts = { ...vectorFacts, effect: 'pure', floor: 0 } as const
/** Like `calculate`: the texts are in the run already, so what comes of them is worth what the run is worth. */
export const computedFacts = { ...lookFacts, output: operatorLabel } as const
export const changeFacts = { ...vectorFacts, effect: 'idempotent', floor: 1, undo: restoring } as const

export const embeddedText = z.string().trim().min(1).max(longestEntry)
export const collectionName = z.string().min(1).max(50)
export const entryId = z.string().min(1).max(100)

const Metadata = z
  .record(z.string().max(50), z.union([z.string(), z.number(), z.boolean()]))
  .refine((metadata) => JSON.stringify(metadata).length <= longestMetadata, {
    error: `must be at most ${longestMetadata} characters as JSON`,
  })

export const VectorEntry = z.strictObject({
  id: entryId,
  text: embeddedText,
  metadata: Metadata.exactOptional(),
})
export type VectorEntry = z.infer<typeof VectorEntry>

/** Why a collection cannot have this name. */
export function nameProblem(name: string): string | undefined {
  if (isBuiltInCollection(name))
    return `${name} is kept by itself and only searched. Choose another name than ${builtInCollections.join(', ')}.`
  return /^[a-z][a-z0-9_-]*$/.test(name)
    ? undefined
    : 'A name has small letters, digits, - and _, and begins with a letter.'
}

/** Why nothing can be written to the collection. */
export async function collectionProblem(
  name: string,
  context: RecordToolContext,
): Promise<string | undefined> {
  const problem = nameProblem(name)
  if (problem !== undefined) return problem
  if (await context.records.get(vectorCollections, name)) return undefined
  return `There is no collection ${name}. Make it with create_vector_collection, or look with list_vector_collections.`
}

export async function entriesIn(name: string, context: RecordToolContext): Promise<number> {
  return (await context.records.count(entriesOf(name))).get(entriesOf(name)) ?? 0
}

export function presentEntries(
  name: string,
  ids: readonly string[],
  context: RecordToolContext,
): Promise<(StoredRecord | undefined)[]> {
  return Promise.all(ids.map((id) => context.records.get(entriesOf(name), id)))
}

export function dataOf({ text, metadata }: VectorEntry): JsonObject {
  return { text, ...(metadata ? { metadata } : {}) }
}
