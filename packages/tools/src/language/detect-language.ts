/** Says in which language a text is. */
import { z } from 'zod'
import { succeeded } from '../result.ts'
import { brief } from '../utilities/computing.ts'
import { languageNamed } from './languages.ts'
import { NoAnswer, textInput, working } from './working.ts'

/** More does not make it surer. */
const longestLook = 2_000

export const detectLanguage = working({
  name: 'detect_language',
  version: '1',
  description: 'Detect the language of a text.',
  group: 'translation',
  tags: ['language', 'which language', 'recognize', 'identify'],
  input: z.strictObject({ text: textInput }),
  describe: ({ text }) => `Detect the language of “${brief(text)}”`,
  async work({ text }, ask) {
    const { code, sure } = await ask({
      instruction:
        'Say in which language the text is mainly written: its code of ISO 639-1, such as de, and whether that is sure.',
      text: text.slice(0, longestLook).toWellFormed(),
      form: z.strictObject({ code: z.string().max(10), sure: z.boolean() }),
      mostTokens: 100,
    })
    const found = languageNamed(code)
    if (!found) throw new NoAnswer('the model named no language that is known')
    return succeeded(JSON.stringify({ ...found, sure }), `It is ${found.name}${sure ? '' : ', perhaps'}`)
  },
})
