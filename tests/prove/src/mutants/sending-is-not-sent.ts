/** After a crash while the server was being given an e-mail, it is said not to have left. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'executor/src/mail/send-mail.ts',
    from: "step.phase === 'prepared' || step.phase === 'refused')",
    to: "step.phase === 'prepared' || step.phase === 'refused' || step.phase === 'sending')",
  },
])
