/** Owns the words that an episode is found by. Texts and questions are cut into words here, so that both agree. */
import { type RawBuilder, sql } from 'kysely'
import type { ConversationLine } from './turn.ts'
import { normalisedWords } from './wording.ts'

const mostWords = 24

/** What is said in the summary counts more. */
export function wordsIn(summary: string, turns: readonly ConversationLine[]): RawBuilder<string> {
  const said = turns.flatMap(({ text }) => normalisedWords(text)).join(' ')
  return sql<string>`setweight(to_tsvector('english', ${normalisedWords(summary).join(' ')}), 'A') ||
    to_tsvector('english', ${said})`
}

/** Any of the words, or all of them; null for a text without words. */
export function searchQuery(words: readonly string[], how: 'any' | 'all'): RawBuilder<string> | null {
  const distinct = [...new Set(words)].slice(0, mostWords)
  if (distinct.length === 0) return null
  return sql<string>`to_tsquery('english', ${distinct.join(how === 'any' ? ' | ' : ' & ')})`
}
