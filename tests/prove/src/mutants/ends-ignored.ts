/** A grant has no end. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'kernel/src/approvals/grants.ts',
    from: "is('expires_at', '>', now),",
    to: "is('expires_at', 'is not', null),",
  },
])
