/** Whoever may approve a call may grant it to strangers. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'kernel/src/approvals/seal-verdict.ts',
    from: 'if (termsOf(grant, offers).untrusted && reach <= highestGatewayTier) throw notInAdvance(id)',
    to: '',
  },
])
