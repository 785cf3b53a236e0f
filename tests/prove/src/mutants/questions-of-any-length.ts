/** A question is as long as the body that brings it. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'gateway/src/programs/openai/requests.ts',
    from: 'if (words.length > longestWords)',
    to: 'if (words.length > longestWords * 100)',
  },
])
