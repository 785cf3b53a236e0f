/** An answer of a server is as long as it likes. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'executor/src/extensions/answer-text.ts',
    from: 'text.length > serverLimits.maxAnswer',
    to: 'false',
  },
])
