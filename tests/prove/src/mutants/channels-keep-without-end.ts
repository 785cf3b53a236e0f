/** However much a channel wants kept at once is kept in memory until its turn comes. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'gateway/src/channels/channel-process.ts',
    from: 'const mostUnkept = 8',
    to: 'const mostUnkept = 8_000',
  },
])
