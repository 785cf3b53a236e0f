/** A tool of a server is called whatever the server says of it by now. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'executor/src/extensions/servers.ts',
    from: 'if (listed === call.definition && isAsAccepted(server, hashes)) return',
    to: 'if (listed !== undefined) return',
  },
])
