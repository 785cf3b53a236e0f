/** A permit whose connection was cut is not sent again. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'gateway/src/nodes/node-calls.ts',
    from: 'if (one.node === link.node) goOn(one)',
    to: 'if (one.node === link.node && !one.mayHaveBegun) goOn(one)',
  },
])
