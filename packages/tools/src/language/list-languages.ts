/** Lists the languages that texts can be translated into. */
import { z } from 'zod'
import { answer, computing } from '../utilities/computing.ts'
import { languages } from './languages.ts'

export const listLanguages = computing({
  name: 'list_languages',
  version: '1',
  description: 'List the languages that texts can be translated into.',
  category: 'language',
  group: 'translation',
  tags: ['language', 'translation', 'supported', 'codes'],
  input: z.strictObject({}),
  describe: () => 'List languages',
  compute: () => answer(languages.map(({ code, name }) => `${code} ${name}`).join('\n')),
})
