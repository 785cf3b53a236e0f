/** Whatever account stands under the name of a channel, it is the one that was there before. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'gateway/src/channels/bound-account.ts',
    from: 'if (kept?.account === now)',
    to: 'if (kept !== undefined && now !== undefined)',
  },
])
