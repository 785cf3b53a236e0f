/** Divides a text at a separator. */
import { z } from 'zod'
import { text } from './bounds.ts'
import { answer, brief, computing } from './computing.ts'

export const splitText = computing({
  name: 'split_text',
  version: '1',
  description: 'Split a text at a separator into a list, by default at line ends. For patterns use regex.',
  group: 'textUtils',
  tags: ['divide', 'separate', 'tokenize', 'lines', 'list', 'delimiter', 'commas', 'break up', 'cut'],
  input: z.strictObject({
    text,
    separator: z.string().min(1).max(100).default('\n'),
    trim: z.boolean().default(true),
    dropEmpty: z.boolean().default(true),
  }),
  describe: ({ separator }) => `Split a text at ${brief(JSON.stringify(separator), 30)}`,
  compute({ text: given, separator, trim, dropEmpty }) {
    const pieces = given.split(separator).map((piece) => (trim ? piece.trim() : piece))
    return answer(dropEmpty ? pieces.filter((piece) => piece !== '') : pieces)
  },
})
