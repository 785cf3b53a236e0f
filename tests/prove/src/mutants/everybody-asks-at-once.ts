/** As many people ask to be let in at once as there are. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'gateway/src/channels/peers.ts',
    from: 'const isFull = asking.length >= mostAsking',
    to: 'const isFull = asking.length >= 1_000_000 * mostAsking',
  },
])
