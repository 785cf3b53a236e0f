/** Says how near two texts are in meaning. */
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { failed, succeeded } from '../result.ts'
import { brief } from '../utilities/computing.ts'
import { computedFacts, embeddedText } from './entries.ts'
import { noVector } from './no-vector.ts'

export const similarityScore = defineTool({
  ...computedFacts,
  name: 'similarity_score',
  version: '1',
  description: 'Say how near two texts are in meaning: 1 is the same, 0 is nothing in common.',
  input: z.strictObject({ text1: embeddedText, text2: embeddedText }),
  tags: ['vector', 'embedding', 'compare meaning', 'same meaning', 'paraphrase', 'cosine', 'how similar'],
  runs: 'gateway',
  describe: ({ text1, text2 }) => `Compare the meaning of “${brief(text1)}” and “${brief(text2)}”`,
  preview: ({ text1, text2 }) => ({
    kind: 'table',
    title: 'Compare the meaning',
    columns: ['Text', 'Words'],
    rows: [
      ['1', text1],
      ['2', text2],
    ],
  }),
  effects: async () => ({ kind: 'found', resources: [], effects: [] }),
  texts: ({ text1, text2 }) => [text1, text2],
  async run(_, { embedded }) {
    if (embedded?.kind !== 'embedded') return failed(noVector(embedded))
    const [one, other] = embedded.vectors
    if (!one || !other || one.length !== other.length) return failed(noVector(undefined))
    const score = one.reduce((sum, value, place) => sum + value * (other[place] ?? 0), 0)
    const told = (Math.round(Math.min(1, Math.max(-1, score)) * 1_000) / 1_000).toFixed(3)
    return succeeded(`${told} (cosine, by ${embedded.model})`, `Similarity ${told}`)
  },
})
