/** Whoever sends slowly takes the places of all others. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'gateway/src/server/channel-hooks.ts',
    from: 'const mostReading = { each: 32, inAll: 256 }',
    to: 'const mostReading = { each: 32, inAll: 32 }',
  },
])
