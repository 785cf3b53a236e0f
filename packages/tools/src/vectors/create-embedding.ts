/** Turns a text into numbers that programs can compare. */
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { failed, succeeded } from '../result.ts'
import { brief } from '../utilities/computing.ts'
import { computedFacts, embeddedText, mostDimensions } from './entries.ts'
import { noVector } from './no-vector.ts'

export const createEmbedding = defineTool({
  ...computedFacts,
  name: 'create_embedding',
  version: '1',
  description: 'Turn a text into its vector, as a JSON array of numbers, with the model that made it.',
  input: z.strictObject({ text: embeddedText }),
  tags: ['vector', 'embedding', 'embed', 'numbers', 'features', 'rag'],
  runs: 'gateway',
  describe: ({ text }) => `Embed “${brief(text)}”`,
  preview: ({ text }) => ({ kind: 'text', title: 'Embed', text }),
  effects: async () => ({ kind: 'found', resources: [], effects: [] }),
  texts: ({ text }) => [text],
  async run(_, { embedded }) {
    if (embedded?.kind !== 'embedded') return failed(noVector(embedded))
    const [vector] = embedded.vectors
    if (!vector || vector.length > mostDimensions)
      return failed(
        `The vector has more than ${mostDimensions} numbers. Choose another model for embeddings.`,
      )
    const numbers = [...vector].map((value) => Math.round(value * 1e6) / 1e6)
    const facts = { model: embedded.model, dimensions: vector.length, vector: numbers }
    return succeeded(JSON.stringify(facts), `Embedded with ${embedded.model}, ${vector.length} numbers`)
  },
})
