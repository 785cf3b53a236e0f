/** What hides or reorders words in a question of a server is shown as it is. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'executor/src/extensions/server-form.ts',
    from: "forDisplay(text.replaceAll('\\r\\n', '\\n').trim(), { multiline: true }).text",
    to: 'text.trim()',
  },
])
