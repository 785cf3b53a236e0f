/** What a server asks for at a sign-in is told without quotation marks. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'executor/src/extensions/server-bearer.ts',
    from: '` It asks for “${scope}”.`',
    to: '` It asks for: ${scope}.`',
  },
])
