/** A server may ask in a run of a guest, and where nobody is there. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'kernel/src/approvals/server-questions.ts',
    from: "requester.kind !== 'operator' || found.unattended || found.schedule !== null",
    to: "requester.kind === 'webhook' && found.unattended",
  },
])
