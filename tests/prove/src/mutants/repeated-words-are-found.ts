/** What a tool repeats of its arguments counts as found. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'policy/src/plain-look.ts',
    from: ' && !isOfArguments(url, asked)',
    to: ' && (asked.length > 0 || !isOfArguments(url, asked))',
  },
])
