/** The processes of a browser go on when a call has ended. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'executor/src/browser/freezer.ts',
    from: "freeze: () => signal('SIGSTOP')",
    to: 'freeze: () => undefined',
  },
])
