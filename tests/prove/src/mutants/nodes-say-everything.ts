/** What a node says of a call is kept as it comes. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'gateway/src/nodes/node-answers.ts',
    from: 'const longestReason = 1_000',
    to: 'const longestReason = 100_000_000',
  },
  {
    file: 'gateway/src/nodes/node-answers.ts',
    from: 'const longestSummary = 1_000',
    to: 'const longestSummary = 100_000_000',
  },
  {
    file: 'gateway/src/nodes/node-answers.ts',
    from: 'const spaceOfLook = 20_000',
    to: 'const spaceOfLook = 100_000_000',
  },
])
