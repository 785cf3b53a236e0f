/** A document that was there counts as one that was not. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'policy/src/task-facts.ts',
    from: "identity === 'absent' ||",
    to: 'identity !== null ||',
  },
])
