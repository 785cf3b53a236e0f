/** Nobody looks where a connected socket leads. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'executor/src/egress/checked-connect.ts',
    from: 'if (isConnectedTo(socket, address, port)) return',
    to: 'if (address) return',
  },
])
