/** A grant that was revoked lives on. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'kernel/src/approvals/grants.ts',
    from: '.set({ revoked_at: unit.now })',
    to: '.set({ last_used_at: unit.now })',
  },
])
