/** What was let go before the alarm is sent when its computer is back. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'gateway/src/nodes/node-calls.ts',
    from: 'const isStopped = !mayHaveBegun && subject.tier > 0',
    to: 'const isStopped = !mayHaveBegun && subject.tier > 9',
  },
])
