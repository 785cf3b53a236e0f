/** A request is made to wait for seconds instead of hours. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'kernel/src/approvals/requests.ts',
    from: 'hours * 3_600_000',
    to: 'hours * 3_600',
  },
])
