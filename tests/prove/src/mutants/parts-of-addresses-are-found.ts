/** A part of an address that came back counts as found. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'policy/src/whole-in.ts',
    from: 'if (!before.test(head) && !after.test(tail.slice(0, 3))) return true',
    to: 'if (!before.test(head) || !after.test(tail.slice(0, 3))) return true',
  },
])
