/** Asks the operator. The run parks until the answer comes; no executor takes part. */
import { operatorLabel } from '@countersign/contract'
import { z } from 'zod'
import { defineTool } from '../definition.ts'

export const askOperator = defineTool({
  name: 'ask_operator',
  version: '1',
  description: 'Ask the operator a question and wait for the answer.',
  input: z.strictObject({
    question: z.string().max(4000),
    choices: z.array(z.string().max(200)).max(8).default([]),
  }),
  category: 'operator',
  group: 'core',
  tags: ['question', 'clarify', 'confirm', 'check with me', 'permission', 'choice'],
  effect: 'pure',
  listed: true,
  floor: 0,
  output: operatorLabel,
  runs: 'operator',
  question: ({ question, choices }) => ({ text: question, choices }),
  describe: ({ question }) => `Ask: ${question}`,
  preview: ({ question, choices }) => ({
    kind: 'text',
    title: 'Question',
    text: [question, ...choices.map((choice) => `- ${choice}`)].join('\n'),
  }),
})
