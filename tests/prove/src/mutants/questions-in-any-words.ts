/** A question for a reader has whatever words the run likes. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'policy/src/reader.ts',
    from: 'asked.every((word) => known.has(word) || small.has(word))',
    to: 'asked.length > 0',
  },
  { file: 'policy/src/reader.ts', from: 'asked.some((word) => known.has(word))', to: 'asked.length > 0' },
])
