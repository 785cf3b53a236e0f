/** The card leaves out everything between whoever the call is made for and the run. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'kernel/src/dispatch/chain.ts',
    from: "return (row) => [...line, ...around(row, known, caller), named('tool', row.tool)]",
    to: "return (row) => [named(caller.requester.kind, caller.requester.id), named('agent', caller.work.agent), named('run', held.id), named('tool', row.tool)]",
  },
])
