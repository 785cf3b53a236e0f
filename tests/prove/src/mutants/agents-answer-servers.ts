/** Whoever speaks to the gateway answers a server, whether it is the operator or not. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'kernel/src/approvals/server-questions.ts',
    from: "if (actor.kind !== 'operator')",
    to: "if (actor.kind === 'executor')",
  },
])
