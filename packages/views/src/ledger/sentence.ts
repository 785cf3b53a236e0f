/** Owns the sentence of an entry. A type that nobody wrote one for is still told, by its name. */
import { houseSentences } from './house-sentences.ts'
import { mindSentences } from './mind-sentences.ts'
import { spineSentences } from './spine-sentences.ts'
import { did, type Sentence, type Told } from './telling.ts'

export const sentences: ReadonlyMap<string, Sentence> = new Map(
  [spineSentences, mindSentences, houseSentences].flatMap((each) => Object.entries(each)),
)

export function sentenceOf(told: Told): string {
  const sentence = sentences.get(told.type) ?? did(`recorded ${told.type}`)
  return sentence(told)
}
