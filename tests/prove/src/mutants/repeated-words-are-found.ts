/** What a tool repeats of its arguments counts as found. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'policy/src/plain-look.ts',
    from: '!args.includes(address) && standsIn(text, address)',
    to: '(args === null || standsIn(text, address))',
  },
])
