/** The list that is shown and judged is the one in the call. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'tools/src/files/take-over-changes.ts',
    from: 'if (canonicalText(found.held) !== canonicalText(held))',
    to: 'if (false)',
  },
])
