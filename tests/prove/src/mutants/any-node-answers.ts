/** Every node tells how the calls of all of them ended. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'gateway/src/nodes/node-calls.ts',
    from: 'if (one?.node !== link.node || word.index !== 0 || !one.mayHaveBegun) return false',
    to: 'if (!one || word.index !== 0 || !one.mayHaveBegun) return false',
  },
])
