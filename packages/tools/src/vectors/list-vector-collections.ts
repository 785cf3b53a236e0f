/** Lists what semantic_search can look in. */
import { builtInCollections, type ContentFacts, vectorCollections } from '@countersign/contract'
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { listing } from '../records/effects.ts'
import { tellingOf } from '../records/kept-label.ts'
import { counted, lines } from '../records/record-lines.ts'
import { succeeded } from '../result.ts'
import { lookFacts, mostCollections } from './entries.ts'

export const listVectorCollections = defineTool({
  ...lookFacts,
  name: 'list_vector_collections',
  version: '1',
  description: 'List the collections that semantic_search looks in, with how many texts they have.',
  input: z.strictObject({}),
  tags: ['vector', 'embedding', 'index', 'knowledge bases', 'which collections', 'rag'],
  runs: 'gateway',
  describe: () => 'List the vector collections',
  preview: () => ({ kind: 'text', title: 'List', text: 'The vector collections' }),
  effects: async () => listing(vectorCollections, 'the vector collections'),
  async run(_, context) {
    const facts = await context.assistant.content.facts()
    const { records: own } = await context.records.list(vectorCollections, { limit: mostCollections })
    const told = [
      ...builtInCollections.map((name) => ({ name, keptBy: 'Countersign', ...factsOf(facts.get(name)) })),
      ...own.map(({ id, data }) => ({ name: id, ...data, ...factsOf(facts.get(id)) })),
    ]
    const count = counted(own.length, 'collection', 'collections')
    return tellingOf(own, succeeded(`${count} of the operator’s:\n${lines(told)}`, `Listed ${count}`))
  },
})

function factsOf(facts: ContentFacts | undefined) {
  const { texts = 0, embedded = 0, model = null, dimensions = null } = facts ?? {}
  return { texts, embedded, model, dimensions }
}
