import { Language } from '@countersign/contract'
import { expect, test } from 'vitest'
import { type WhyWords, whyWords } from './why-words.ts'

const translations = Language.options.filter((language) => language !== 'en')
const marks = ['⟦a⟧', '⟦b⟧', '⟦c⟧', '⟦d⟧']

test.each(translations)(
  'has in %s every sentence of the English catalogue, with the same parts',
  (language) => {
    const [english, translated] = [sentencesOf(whyWords.en), sentencesOf(whyWords[language])]
    expect(Object.keys(translated).toSorted()).toEqual(Object.keys(english).toSorted())
    for (const [key, sentence] of Object.entries(translated)) {
      expect(sentence.trim()).not.toBe('')
      expect([key, sentence.match(/⟦\w⟧/g)?.toSorted()]).toEqual([
        key,
        english[key]?.match(/⟦\w⟧/g)?.toSorted(),
      ])
    }
  },
)

function sentencesOf(words: WhyWords): Record<string, string> {
  const found: Record<string, string> = {}
  const visit = (value: unknown, path: string): void => {
    if (typeof value === 'string') found[path] = value
    else if (typeof value === 'function') found[path] = (value as (...given: string[]) => string)(...marks)
    else for (const [key, part] of Object.entries(value as object)) visit(part, `${path}.${key}`)
  }
  visit(words, '')
  return found
}
