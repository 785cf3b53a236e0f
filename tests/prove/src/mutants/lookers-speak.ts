/** A device that may only look may send messages over its connection. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'gateway/src/server/socket.ts',
    from: 'if (speaker.reach === 0)',
    to: 'if (speaker.reach < 0)',
  },
])
