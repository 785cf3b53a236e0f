/** A seal that does not fit is taken for one that does. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'executor/src/verify.ts',
    from: "return verifyText(key, text, signature) ? null : 'the seal does not fit the permit'",
    to: 'return null',
  },
])
