/** Shows how two texts differ. Gives up on texts that have too little in common to be compared in time. */
import { z } from 'zod'
import { answer, computing, refuse } from './computing.ts'
import { wordsIn } from './words.ts'

const side = z.string().max(50_000)

export const compareText = computing({
  name: 'compare_text',
  version: '1',
  description: 'Compare two texts: the similarity from 0 to 1, and what was removed (-) and added (+).',
  group: 'textUtils',
  tags: [
    'diff',
    'difference',
    'different',
    'similarity',
    'similar',
    'changes',
    'equal',
    'versions',
    'the same',
    'two texts',
    'paragraphs',
  ],
  input: z.strictObject({
    text1: side,
    text2: side,
    by: z.enum(['lines', 'words', 'characters']).default('lines'),
  }),
  describe: ({ by }) => `Compare two texts by ${by}`,
  async compute({ text1, text2, by }) {
    if (text1 === text2) return answer({ equal: true, similarity: 1, changes: [] })
    const { diffArrays } = await import('diff')
    const [first, second] = [piecesOf[by](text1), piecesOf[by](text2)]
    const parts = diffArrays(first, second, { timeout: longestMs })
    if (parts === undefined) {
      const shared = sharedWords(text1, text2)
      return refuse(
        `The texts differ too much to be compared by ${by}; ${Math.round(shared * 100)}% of their words are the same. Compare them by another measure or in sections.`,
      )
    }
    const common = parts
      .filter(({ added, removed }) => !added && !removed)
      .reduce((sum, { value }) => sum + value.join('').length, 0)
    const whole = first.join('').length + second.join('').length
    const changes = parts
      .filter(({ added, removed }) => added || removed)
      .map(({ added, value }) => `${added ? '+' : '-'} ${value.join(by === 'lines' ? '\n' : '')}`)
    return answer({ equal: false, similarity: whole === 0 ? 0 : round((2 * common) / whole), changes })
  },
})

const longestMs = 80

const piecesOf = {
  lines: (text: string) => text.split(/\r\n|\n|\r/),
  words: (text: string) => text.match(/\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? [],
  characters: (text: string) => Array.from(text),
}

function sharedWords(text1: string, text2: string): number {
  const [first, second] = [new Set(wordsIn(text1)), new Set(wordsIn(text2))]
  const whole = first.union(second).size
  return whole === 0 ? 0 : first.intersection(second).size / whole
}

function round(share: number): number {
  return Math.round(share * 1000) / 1000
}
