/** Counts what a text is made of. */
import { z } from 'zod'
import { text } from './bounds.ts'
import { answer, computing } from './computing.ts'
import { countText as countsOf } from './words.ts'

export const countText = computing({
  name: 'count_text',
  version: '1',
  description:
    'Count words, characters, sentences, lines and paragraphs of a text. For how often each word occurs use count_words.',
  group: 'mathStats',
  tags: [
    'length',
    'words',
    'word count',
    'how many words',
    'characters',
    'how many characters',
    'sentences',
    'lines',
    'reading time',
    'how long is this text',
    'essay',
  ],
  input: z.strictObject({ text }),
  describe: () => 'Count a text',
  compute: ({ text: given }) => answer(countsOf(given)),
})
