/** A grant has no end. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'kernel/src/approvals/grants.ts',
    from: ".where('expires_at', '>', now)",
    to: ".where('expires_at', 'is not', null)",
  },
  {
    file: 'kernel/src/approvals/grants.ts',
    from: ".where('expires_at', '>', unit.now)",
    to: ".where('expires_at', 'is not', null)",
  },
])
