/** Finds texts by what they mean. What is told carries what each of the texts is worth. */
import {
  type BuiltInCollection,
  entriesOf,
  isBuiltInCollection,
  type ToolCatalogue,
  vectorCollections,
} from '@countersign/contract'
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { listing } from '../records/effects.ts'
import { tellingOf } from '../records/kept-label.ts'
import { counted, lines } from '../records/record-lines.ts'
import { failed, succeeded } from '../result.ts'
import { brief } from '../utilities/computing.ts'
import { collectionName, lookFacts } from './entries.ts'

const most = { param: 'topK', max: 50, default: 10 } as const

export const semanticSearch = defineTool({
  ...lookFacts,
  name: 'semantic_search',
  version: '1',
  description:
    'Find texts by meaning, whatever their words: in conversations, notes, files of the workspace, or a vector collection.',
  input: z.strictObject({
    query: z.string().trim().min(1).max(1_000),
    collection: collectionName.describe('conversations, notes, files, or the name of a vector collection'),
    topK: z.int().min(1).default(most.default),
  }),
  tags: [
    'vector',
    'embedding',
    'meaning',
    'similar',
    'related',
    'knowledge base',
    'rag',
    'nearest',
    'find by meaning',
    'what did we say about',
  ],
  limit: most,
  runs: 'gateway',
  describe: ({ query, collection }) => `Search ${collection} by meaning: ${brief(query)}`,
  preview: ({ query, collection }) => ({
    kind: 'text',
    title: `Search ${collection} by meaning`,
    text: query,
  }),
  effects: async ({ collection }) =>
    listing(isBuiltInCollection(collection) ? collection : entriesOf(collection), collection),
  texts: ({ query }) => [query],
  async run({ query, collection, topK }, context) {
    const isKept = isBuiltInCollection(collection)
    if (isKept && !mayRead(collection, context.catalogue))
      return failed(`${collection} cannot be searched: ${readingTools[collection]} is not among your tools.`)
    if (!isKept && !(await context.records.get(vectorCollections, collection)))
      return failed(`There is no collection ${collection}. Look with list_vector_collections.`)
    const { embedded } = context
    const [vector] = embedded?.kind === 'embedded' ? embedded.vectors : []
    const meaning = embedded?.kind === 'embedded' && vector ? { model: embedded.model, vector } : null
    const found = await context.assistant.content.search({ collection, text: query, meaning, limit: topK })
    const count = counted(found.length, 'text', 'texts')
    const byWords = meaning === null ? ` By words alone, since ${reasonIn(embedded)}.` : ''
    if (found.length === 0)
      return succeeded(`Nothing in ${collection} fits.${byWords}`, `Found nothing in ${collection}`)
    const told = found.map(({ source, title, text, at, score, label }) => ({
      id: source,
      ...(title === '' ? {} : { title }),
      text,
      at,
      score: Math.round(score * 1_000) / 1_000,
      ...(label?.integrity === 'untrusted' ? { untrusted: label.sources } : {}),
    }))
    const summary = `Found ${count} in ${collection}`
    return tellingOf(found, succeeded(`${count}, the best first.${byWords}\n${lines(told)}`, summary))
  },
})

/** Whoever may not read them otherwise does not find them either. */
const readingTools = {
  conversations: 'search_agent_history',
  notes: 'list_notes',
  files: 'read_file',
} as const satisfies Readonly<Record<BuiltInCollection, string>>

function mayRead(collection: BuiltInCollection, catalogue: ToolCatalogue): boolean {
  return catalogue.find(readingTools[collection]) !== undefined
}

function reasonIn(embedded: { readonly kind: string; readonly reason?: string } | undefined): string {
  return embedded?.reason ?? 'there is no model for embeddings'
}
