/** A request may be made again. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'gateway/src/server/auth.ts',
    from: 'if (seen.has(nonce)) return false',
    to: 'if (seen.has(nonce)) return true',
  },
])
