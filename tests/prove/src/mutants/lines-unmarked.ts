/** The lines of a long text stand where rows of ours stand. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'cli/src/card.ts',
    from: "indent(shown, '  │ ')",
    to: 'shown',
  },
])
