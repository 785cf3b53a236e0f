/** Counts the words of a text and how often each occurs. */
import { z } from 'zod'
import { text } from './bounds.ts'
import { answer, computing } from './computing.ts'
import { countText, wordsIn } from './words.ts'

export const countWords = computing({
  name: 'count_words',
  version: '1',
  description:
    'Count the words of a text, with the most frequent ones. For characters, sentences and lines use count_text.',
  group: 'mathStats',
  tags: [
    'frequency',
    'word count',
    'how many words',
    'how often',
    'occurrences',
    'vocabulary',
    'most common',
    'most used',
  ],
  input: z.strictObject({ text, top: z.int().min(0).max(100).default(5) }),
  describe: () => 'Count the words of a text',
  compute({ text: given, top }) {
    const counts = new Map<string, number>()
    for (const word of wordsIn(given.toLowerCase())) counts.set(word, (counts.get(word) ?? 0) + 1)
    const frequent = [...counts]
      .toSorted(([, left], [, right]) => right - left)
      .slice(0, top)
      .map(([word, count]) => ({ word, count }))
    return answer({ words: countText(given).words, unique: counts.size, top: frequent })
  },
})
