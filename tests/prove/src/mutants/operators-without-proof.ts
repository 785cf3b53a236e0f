/** Somebody is let in as the operator where the platform shows nobody. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'gateway/src/channels/peers.ts',
    from: `if (role !== 'guest' && !provesSender(asking.channel))`,
    to: `if (role === 'trusted' && !provesSender(asking.channel) && false)`,
  },
])
