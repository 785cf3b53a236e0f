/** A task makes as many documents as it likes. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'policy/src/task-facts.ts',
    from: '|| soFar.writes >= mostWrites',
    to: '',
  },
])
