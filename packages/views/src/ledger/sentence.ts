/** Owns the sentence of an entry. A type that nobody wrote one for is still told, by its name. */

import { assistantSentences } from './assistant-sentences.ts'
import { runSentences } from './run-sentences.ts'
import { type EntryFacts, type EntrySentence, sentenceBy } from './sentence-parts.ts'
import { systemSentences } from './system-sentences.ts'

export const sentences: ReadonlyMap<string, EntrySentence> = new Map(
  [runSentences, assistantSentences, systemSentences].flatMap((each) => Object.entries(each)),
)

export function sentenceOf(entry: EntryFacts): string {
  const sentence = sentences.get(entry.type) ?? sentenceBy(`recorded ${entry.type}`)
  return sentence(entry)
}
