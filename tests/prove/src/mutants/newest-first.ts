/** A lane goes on with the message that came last. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'kernel/src/lanes/run-state.ts',
    from: `        .orderBy('position')
        .limit(1),`,
    to: `        .orderBy('position', 'desc')
        .limit(1),`,
  },
])
