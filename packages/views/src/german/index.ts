/** The German sentences of the ledger. A type without one, or one too many, does not compile. */
import type { EntrySentence } from '../ledger/sentence-parts.ts'
import { germanAssistant } from './assistant-sentences.ts'
import { germanChannels } from './channel-sentences.ts'
import { germanPrograms } from './program-sentences.ts'
import { germanRuns } from './run-sentences.ts'
import { sentenceBy } from './sentence-parts.ts'
import { germanSystem } from './system-sentences.ts'

export const germanSentences: Readonly<Record<string, EntrySentence>> = {
  ...germanRuns,
  ...germanAssistant,
  ...germanChannels,
  ...germanPrograms,
  ...germanSystem,
}

export const unknownInGerman: EntrySentence = (entry) => sentenceBy(`${entry.type} aufgezeichnet`)(entry)
