/** A lane goes on with the message that came last. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'kernel/src/lanes/lanes.ts',
    from: `.where('state', '=', queued)
      .orderBy('position')`,
    to: `.where('state', '=', queued)
      .orderBy('position', 'desc')`,
  },
])
