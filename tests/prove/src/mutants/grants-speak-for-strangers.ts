/** A grant counts whatever the run has read. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'policy/src/facts.ts',
    from: "label.integrity !== 'untrusted' || (untrusted",
    to: 'label !== undefined || (untrusted',
  },
  {
    file: 'kernel/src/approvals/grants.ts',
    from: '(grant.untrusted || !isTainted) &&',
    to: '(grant.untrusted || isTainted !== undefined) &&',
  },
])
