/** Translates several texts, as many at a time as fit into one question. */
import { z } from 'zod'
import { succeeded } from '../result.ts'
import { longestPiece } from './pieces.ts'
import { languageInput, languageProblem, nameOf, translationOrder } from './translating.ts'
import { NoAnswer, working } from './working.ts'

const mostTexts = 100

export const batchTranslate = working({
  name: 'batch_translate',
  version: '1',
  description: 'Translate several short texts into another language at once.',
  group: 'translation',
  tags: ['language', 'translation', 'list', 'several', 'menu', 'labels'],
  input: z.strictObject({
    texts: z.array(z.string().min(1).max(longestPiece)).min(1).max(mostTexts),
    targetLanguage: languageInput,
    sourceLanguage: languageInput.optional(),
  }),
  describe: ({ texts, targetLanguage }) => `Translate ${texts.length} texts into ${nameOf(targetLanguage)}`,
  problem: languageProblem,
  async work(args, ask) {
    const translations: string[] = []
    for (const group of groupsOf(args.texts)) {
      const answer = await ask({
        instruction: `The text is a JSON array of ${group.length} texts. ${translationOrder(args)} Give exactly ${group.length} translations, in the same order.`,
        text: JSON.stringify(group),
        form: z.strictObject({ translations: z.array(z.string()).max(mostTexts) }),
      })
      if (answer.translations.length !== group.length)
        throw new NoAnswer(
          `the model gave ${answer.translations.length} translations of ${group.length} texts`,
        )
      translations.push(...answer.translations)
    }
    const pairs = args.texts.map((text, index) => ({ text, translation: translations[index] ?? '' }))
    return succeeded(
      JSON.stringify(pairs),
      `Translated ${pairs.length} texts into ${nameOf(args.targetLanguage)}`,
    )
  },
})

function groupsOf(texts: readonly string[]): string[][] {
  const groups: string[][] = []
  let size = 0
  for (const text of texts) {
    const last = groups.at(-1)
    if (last && size + text.length <= longestPiece) last.push(text)
    else {
      groups.push([text])
      size = 0
    }
    size += text.length
  }
  return groups
}
