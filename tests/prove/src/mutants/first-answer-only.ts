/** Of the addresses of a name only the first is looked at. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'executor/src/egress/resolve-checked.ts',
    from: 'for (const answer of answers) {',
    to: 'for (const answer of answers.slice(0, 1)) {',
  },
])
