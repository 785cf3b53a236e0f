/** Any number of marks may stand on a letter. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'contract/src/display/sanitise.ts',
    from: 'export const MOST_MARKS = 5',
    to: 'export const MOST_MARKS = 500',
  },
])
