/** An address that cannot be read ends the process of the gateway. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'gateway/src/server/socket.ts',
    from: "URL.parse(request.url ?? '/', 'http://gateway')",
    to: "new URL(request.url ?? '/', 'http://gateway')",
  },
])
