/** Every program in the sandbox may speak with local sockets, those of the host in its folders too. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'executor/src/sandbox/bubblewrap.ts',
    from: "  if (hasLocalSockets(service)) return 'localSockets'",
    to: "  if (hasLocalSockets(service) || 'instead' in service) return 'localSockets'",
  },
])
