/** A request that was decided can be decided again. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'kernel/src/approvals/requests.ts',
    from: ".where('id', '=', id)\n    .where('state', '=', 'pending')",
    to: ".where('id', '=', id)",
  },
])
