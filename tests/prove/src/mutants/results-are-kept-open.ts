/** What a call brought stands in the memory of used permits as it came. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'executor/src/replay-store.ts',
    from: 'return sealOutcome(JSON.stringify(reply), secret)',
    to: 'return JSON.stringify(secret && reply)',
  },
  {
    file: 'executor/src/replay-store.ts',
    from: "openOutcome(row.outcome ?? '', secret)",
    to: "(secret && (row.outcome ?? ''))",
  },
])
