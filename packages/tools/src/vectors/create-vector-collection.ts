/** Makes a collection of texts that are found by meaning. */
import { vectorCollections } from '@countersign/contract'
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import type { RecordToolContext } from '../record-tool-context.ts'
import { fieldsCard } from '../records/cards.ts'
import { recordEffect, recordResource } from '../records/effects.ts'
import { keptLabel } from '../records/kept-label.ts'
import { recordUndo } from '../records/undo.ts'
import { failed, succeeded } from '../result.ts'
import { changeFacts, collectionName, mostCollections, nameProblem } from './entries.ts'

export const createVectorCollection = defineTool({
  ...changeFacts,
  name: 'create_vector_collection',
  version: '1',
  description: 'Create a collection of texts that semantic_search finds by meaning.',
  input: z.strictObject({
    name: collectionName.describe('Small letters, digits, - and _'),
    description: z.string().max(500).exactOptional(),
  }),
  tags: ['vector', 'embedding', 'knowledge base', 'index', 'rag', 'new collection', 'vector database'],
  runs: 'gateway',
  describe: ({ name }) => `Create the vector collection ${name}`,
  preview: (args) => fieldsCard('New vector collection', args),
  async effects({ name }, context) {
    const reason = await problemWith(name, context)
    if (reason !== undefined) return { kind: 'invalid', reason }
    return {
      kind: 'found',
      resources: [recordResource(vectorCollections, name, 'write', null)],
      effects: [recordEffect('write', `a new vector collection ${name}`)],
    }
  },
  async run({ name, description }, context) {
    const reason = await problemWith(name, context)
    if (reason !== undefined) return failed(reason)
    const data = description === undefined ? {} : { description }
    const after = await context.records.insert(vectorCollections, name, data, keptLabel(context))
    const summary = `Created the vector collection ${name}`
    const undo = recordUndo([{ collection: vectorCollections, id: name, before: null, after }])
    return succeeded(`${summary}. Add texts with upsert_vectors.`, summary, undo)
  },
})

async function problemWith(name: string, context: RecordToolContext): Promise<string | undefined> {
  const problem = nameProblem(name)
  if (problem !== undefined) return problem
  if (await context.records.get(vectorCollections, name)) return `There is a collection ${name} already.`
  const count = (await context.records.count(vectorCollections)).get(vectorCollections) ?? 0
  return count >= mostCollections ? `There are ${count} collections, which is the most.` : undefined
}
