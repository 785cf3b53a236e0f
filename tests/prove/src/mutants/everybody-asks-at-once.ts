/** As many people ask to be let in at once as there are. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'gateway/src/channels/peers.ts',
    from: 'if (asking >= mostAsking) return undefined',
    to: 'if (asking >= 1_000_000) return undefined',
  },
])
