/** The alarm of the ledger is told, and stops nothing. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'kernel/src/dispatch/ledger-alarm.ts',
    from: 'return alarm && tier > 0',
    to: 'return alarm && tier > 9',
  },
])
