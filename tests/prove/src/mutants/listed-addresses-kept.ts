/** A list keeps questions with any address. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'policy/src/listed-question.ts',
    from: 'if (!maybeAddress.test(plain)) return true',
    to: 'if (said.length >= 0) return true',
  },
])
