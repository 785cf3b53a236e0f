/** A grant for one session holds in all of them. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'kernel/src/approvals/grants.ts',
    from: "is('session_id', '=', subject.session)",
    to: "is('session_id', 'is not', null)",
  },
])
