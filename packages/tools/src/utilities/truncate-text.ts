/** Shortens a text. */
import { z } from 'zod'
import { text } from './bounds.ts'
import { answer, computing, refuse } from './computing.ts'
import { cut } from './letters.ts'

export const truncateText = computing({
  name: 'truncate_text',
  version: '1',
  description: 'Shorten a text to a number of characters, ending included, at a word or anywhere.',
  group: 'textUtils',
  tags: [
    'shorten',
    'shorter',
    'cut',
    'limit',
    'ellipsis',
    'excerpt',
    'preview',
    'at most',
    'first characters',
  ],
  input: z.strictObject({
    text,
    length: z.int().min(1).max(200_000),
    at: z.enum(['word', 'character']).default('word'),
    ending: z.string().max(20).default('…'),
  }),
  describe: ({ length }) => `Shorten a text to ${length} characters`,
  compute({ text: given, length, at, ending }) {
    if (given.length <= length) return answer(given)
    const room = length - ending.length
    if (room < 1) return refuse('The length leaves no room for the text beside its ending.')
    const beginning = cut(given, room)
    const lastSpace = /\s/.test(given[room] ?? '') ? room : beginning.search(/\s\S*$/)
    return answer(
      `${at === 'word' && lastSpace > 0 ? beginning.slice(0, lastSpace).trimEnd() : beginning}${ending}`,
    )
  },
})
