import type { programSentences } from '../ledger/program-sentences.ts'
import { type EntrySentence, textOf } from '../ledger/sentence-parts.ts'
import { sentenceBy } from './sentence-parts.ts'

export const germanPrograms: Readonly<Record<keyof typeof programSentences, EntrySentence>> = {
  'program.added': sentenceBy(
    ({ data }) => `das Programm ${textOf(data['name'])} als ${textOf(data['role'])} fragen lassen`,
  ),
  'program.changed': sentenceBy(({ data }) => `geändert, was das Programm ${textOf(data['name'])} darf`),
  'program.paused': sentenceBy(({ data }) => `das Programm ${textOf(data['name'])} angehalten`),
  'program.resumed': sentenceBy(({ data }) => `das Programm ${textOf(data['name'])} wieder fragen lassen`),
  'program.rotated': sentenceBy(
    ({ data }) => `dem Programm ${textOf(data['name'])} ein anderes Token gegeben`,
  ),
  'program.revoked': sentenceBy(({ data }) => `das Programm ${textOf(data['name'])} entfernt`),
}
