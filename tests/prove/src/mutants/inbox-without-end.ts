/** There is always room for one more request. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'kernel/src/approvals/inbox.ts',
    from: 'return Math.max(0, Math.min(mostUndecidedOfRun - ofRun, mostUndecided - all))',
    to: 'return 10_000 + ofRun + all',
  },
])
