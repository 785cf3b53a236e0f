/** Whoever began the work, the card says that it was the operator, through the assistant. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'kernel/src/dispatch/chain.ts',
    from: "return (row) => [...line, ...around(row, known, caller), named('tool', row.tool)]",
    to: "return (row) => [named('operator', 'you'), named('agent', 'assistant'), named('run', held.id), named('tool', row.tool)]",
  },
])
