/**
 * Asks the web a question through a reader: a run that is told the question and nothing else. Reads nothing itself; the
 * kernel opens the reader, and its answer is the result.
 */
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { nameText } from '../text.ts'

const Answer = z
  .strictObject({
    kind: z.enum(['text', 'date', 'amount', 'yes_no', 'one_of']),
    options: z.array(nameText(100)).min(2).max(20).exactOptional(),
  })
  .refine(({ kind, options }) => (kind === 'one_of') === (options !== undefined), {
    path: ['options'],
    message: 'one_of needs options, and the other kinds have none',
  })

export const readWeb = defineTool({
  name: 'read_web',
  version: '1',
  description:
    'Look something up on the web. A reader that knows only this question searches and reads pages, and answers. Ask in the words of the operator, with nothing private in it. A date, an amount, yes or no, or one of given options comes back as a checked value.',
  input: z.strictObject({
    question: nameText(500),
    answer: Answer.exactOptional(),
  }),
  category: 'web',
  group: 'webFetch',
  tags: ['reader'],
  effect: 'idempotent',
  floor: 2,
  // What the answer is worth depends on its form, and is said when it is there.
  output: { integrity: 'tool', confidentiality: 'public', sources: [] },
  listed: true,
  runs: 'gateway',
  describe: ({ question }) => `Look up on the web: ${question}`,
  preview: ({ question, answer }) => ({
    kind: 'text',
    title: 'The question, which leaves this computer',
    text: [question, ...(answer?.options ?? []).map((each) => `- ${each}`)].join('\n'),
  }),
  effects: () =>
    Promise.resolve({
      kind: 'found',
      resources: [],
      effects: [
        {
          verb: 'fetch',
          object: 'the public web',
          scope: 'boundary',
          reversible: true,
          outward: false,
          leaves: ['the question'],
        },
      ],
    }),
  run: ({ question }) =>
    Promise.resolve({
      ok: true,
      text: 'A reader looks it up.',
      summary: `Looks up ${question}`,
      undo: null,
      reader: true,
    }),
})
