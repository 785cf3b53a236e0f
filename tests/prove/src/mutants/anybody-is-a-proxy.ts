/** What a request says of its way is believed, whoever brings it. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'gateway/src/server/request-place.ts',
    from: 'trusted.has(plainAddress(peer))',
    to: "plainAddress(peer) !== ''",
  },
])
