/** Finds tools by words. A search sees only what the operator has switched on. */
import { joinLabels, operatorLabel } from '@countersign/contract'
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { succeeded } from '../result.ts'
import { firstSentence } from './first-sentence.ts'
import { findTools as search } from './search.ts'

export const searchTools = defineTool({
  name: 'search_tools',
  version: '1',
  description:
    'Find tools by words, such as "email send"; "all" lists every tool. With include_params their schemas come too.',
  input: z.strictObject({
    query: z.string().min(1).max(500),
    category: z.string().max(64).optional(),
    include_params: z.boolean().default(false),
  }),
  category: 'meta',
  group: 'core',
  tags: [
    'find',
    'discover',
    'available',
    'abilities',
    'capabilities',
    'what can you do',
    'able to do',
    'which tools',
  ],
  effect: 'pure',
  floor: 0,
  output: operatorLabel,
  listed: true,
  runs: 'gateway',
  describe: ({ query }) => `Search tools: ${query}`,
  preview: ({ query }) => ({ kind: 'text', title: 'Search tools', text: query }),
  effects: async () => ({ kind: 'found', resources: [], effects: [] }),
  async run({ query, category, include_params }, { catalogue }) {
    const found = search(catalogue.list(), { query, ...(category === undefined ? {} : { category }) })
    if (found.length === 0) {
      const categories = [...new Set(catalogue.list().map((tool) => tool.category))].toSorted()
      return succeeded(`Nothing fits. Categories: ${categories.join(', ')}.`, `No tool fits ${query}`)
    }
    // A list of everything is for finding one's way, so one sentence of each must do.
    const everything = query.trim().toLowerCase() === 'all'
    const lines = found.map(({ name, description, schema }) => {
      const told = `${name}: ${everything ? firstSentence(description) : description}`
      return include_params ? `${told} ${JSON.stringify(schema)}` : told
    })
    // The words of a tool that somebody made are worth what it was made from.
    const labels = found.flatMap(({ origin }) => (origin ? [origin.label] : []))
    const result = succeeded(lines.join('\n'), `Found ${found.length} tools`)
    return labels.length > 0 ? { ...result, label: labels.reduce(joinLabels) } : result
  },
})
