/** A part of an address that came back counts as found. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'policy/src/address-words.ts',
    from: 'if (!goesBefore.test(before) && !goesOn.test(after)) return true',
    to: 'if (!goesBefore.test(before) || !goesOn.test(after)) return true',
  },
])
