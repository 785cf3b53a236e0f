/** The sentence of a ledger entry, in the language of the reader. A type without a sentence is told by its name. */
import type { Language } from '@countersign/contract'
import { germanSentences, unknownInGerman } from '../german/index.ts'
import { assistantSentences } from './assistant-sentences.ts'
import { channelSentences } from './channel-sentences.ts'
import { programSentences } from './program-sentences.ts'
import { runSentences } from './run-sentences.ts'
import { type EntryFacts, type EntrySentence, sentenceBy } from './sentence-parts.ts'
import { systemSentences } from './system-sentences.ts'

const englishSentences = {
  ...runSentences,
  ...assistantSentences,
  ...channelSentences,
  ...programSentences,
  ...systemSentences,
}

const unknownInEnglish: EntrySentence = (entry) => sentenceBy(`recorded ${entry.type}`)(entry)

export const sentences: Readonly<Record<Language, ReadonlyMap<string, EntrySentence>>> = {
  en: new Map(Object.entries(englishSentences)),
  de: new Map(Object.entries(germanSentences)),
}
const unknown: Readonly<Record<Language, EntrySentence>> = { en: unknownInEnglish, de: unknownInGerman }

export function sentenceOf(entry: EntryFacts, language: Language): string {
  return (sentences[language].get(entry.type) ?? unknown[language])(entry)
}
