/** Translates a text, piece by piece where it is long. */
import { z } from 'zod'
import { succeeded } from '../result.ts'
import { brief } from '../utilities/computing.ts'
import { piecesOf } from './pieces.ts'
import { languageInput, languageProblem, nameOf, Translation, translationOrder } from './translating.ts'
import { textInput, working } from './working.ts'

export const translateText = working({
  name: 'translate_text',
  version: '1',
  description: 'Translate a text into another language.',
  group: 'translation',
  tags: ['language', 'translation', 'into German', 'in English', 'what does it mean', 'foreign language'],
  input: z.strictObject({
    text: textInput,
    targetLanguage: languageInput,
    sourceLanguage: languageInput.optional(),
  }),
  describe: ({ text, targetLanguage }) => `Translate “${brief(text)}” into ${nameOf(targetLanguage)}`,
  problem: languageProblem,
  async work(args, ask) {
    const instruction = translationOrder(args)
    const translated: string[] = []
    for (const piece of piecesOf(args.text)) {
      // Spaces at a border belong to it, and models leave them out.
      const inner = piece.trim()
      const begin = piece.length - piece.trimStart().length
      const [before, after] = [piece.slice(0, begin), piece.slice(begin + inner.length)]
      const { translation } =
        inner === '' ? { translation: '' } : await ask({ instruction, text: inner, form: Translation })
      translated.push(before, translation, after)
    }
    const text = translated.join('')
    return succeeded(text, `Translated into ${nameOf(args.targetLanguage)}: ${brief(text)}`)
  },
})
