/** Everything in an entry about what the operator did counts as the operator's. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'assistant/src/schedules/ledger-events.ts',
    from: 'JSON.stringify(plainFacts(data))',
    to: 'said',
  },
])
