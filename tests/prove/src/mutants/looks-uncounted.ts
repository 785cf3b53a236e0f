/** A task looks as often as it likes. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'policy/src/plain-look.ts',
    from: 'soFar.looks >= mostLooks',
    to: 'soFar.looks < 0',
  },
])
