/** A request is made to wait for seconds instead of hours. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'kernel/src/approvals/approvals.ts',
    from: 'hours * 3_600_000',
    to: 'hours * 3_600',
  },
])
