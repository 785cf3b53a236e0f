/** A question of a server is put for one of several calls that are open. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'executor/src/extensions/server-questions.ts',
    from: 'if (other) {',
    to: 'if (other && calls.size > 1000) {',
  },
])
