/** Sentences about programs that ask by a token. */
import { type EntrySentence, sentenceBy, textOf } from './sentence-parts.ts'

export const programSentences = {
  'program.added': sentenceBy(
    ({ data }) => `let the program ${textOf(data['name'])} ask as ${textOf(data['role'])}`,
  ),
  'program.changed': sentenceBy(({ data }) => `changed what the program ${textOf(data['name'])} may`),
  'program.paused': sentenceBy(({ data }) => `paused the program ${textOf(data['name'])}`),
  'program.resumed': sentenceBy(({ data }) => `let the program ${textOf(data['name'])} ask again`),
  'program.rotated': sentenceBy(({ data }) => `gave the program ${textOf(data['name'])} another token`),
  'program.revoked': sentenceBy(({ data }) => `removed the program ${textOf(data['name'])}`),
} satisfies Readonly<Record<string, EntrySentence>>
