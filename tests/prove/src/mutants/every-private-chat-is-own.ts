/** Every chat that calls itself private is one in which nobody else reads. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'gateway/src/channels/peers.ts',
    from: "role === 'operator' && at.kind === 'private' && at.id === chat",
    to: "role === 'operator' && at.kind === 'private' && chat !== ''",
  },
])
