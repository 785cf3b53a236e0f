/** The uses of a grant are not counted. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'kernel/src/approvals/grants.ts',
    from: 'sql`uses + 1`',
    to: 'sql`uses + 0`',
  },
])
