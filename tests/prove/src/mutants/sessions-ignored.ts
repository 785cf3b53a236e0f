/** A grant for one session holds in all of them. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'kernel/src/approvals/grants.ts',
    from: '(grant.session_id === null || grant.session_id === subject.session) &&',
    to: '',
  },
])
