/** Takes the marks off letters. */
import { z } from 'zod'
import { text } from './bounds.ts'
import { answer, brief, computing } from './computing.ts'
import { withoutMarks } from './letters.ts'

export const removeDiacritics = computing({
  name: 'remove_diacritics',
  version: '1',
  description: 'Remove accents and other marks from letters: é becomes e, ø becomes o, ß becomes ss.',
  group: 'textUtils',
  tags: ['accents', 'ascii', 'umlaut', 'normalize', 'unaccent', 'transliterate', 'plain letters'],
  input: z.strictObject({ text }),
  describe: ({ text: given }) => `Plain letters of “${brief(given, 40)}”`,
  compute: ({ text: given }) => answer(withoutMarks(given)),
})
