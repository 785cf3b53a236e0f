/** A part of an address that came back counts as found. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'policy/src/plain-look.ts',
    from: 'if (!isBegun && !goesOn.test(after)) return true',
    to: 'if (!isBegun || !goesOn.test(after)) return true',
  },
])
