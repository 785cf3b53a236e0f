/** The card leaves out everything between whoever the call is made for and the run. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'kernel/src/dispatch/request-chain.ts',
    from: "return (row) => [...line, ...linksAround(row, known, caller), named('tool', row.tool)]",
    to: "return (row) => [named(caller.requester.kind, caller.requester.id), named('agent', caller.work.agent), named('run', held.id), named('tool', row.tool)]",
  },
])
