/** A run makes as many calls as it likes. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'kernel/src/dispatch/call-limits.ts',
    from: 'if (madeInRun + made >= limits.toolCalls)',
    to: 'if (madeInRun + made < 0)',
  },
  {
    file: 'agent/src/loop.ts',
    from: 'if (used.toolCalls >= limits.toolCalls) return',
    to: 'if (used.toolCalls < 0) return',
  },
])
