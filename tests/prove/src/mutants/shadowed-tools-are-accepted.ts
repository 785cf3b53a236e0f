/** Two tools of a server may have one name here. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'tools/src/servers/accept-server-tools.ts',
    from: 'return same && `',
    to: 'return undefined && `',
  },
])
