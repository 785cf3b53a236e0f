/** A question for a reader has whatever words the run likes. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'policy/src/reader.ts',
    from: 'else return false',
    to: 'else small += 0',
  },
])
