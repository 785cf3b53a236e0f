/** Who was told the line is told it again with the next message. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'gateway/src/channels/peers.ts',
    from: 'tx.now.getTime() - known.asked_at.getTime() < silenceMs',
    to: 'tx.now.getTime() - known.asked_at.getTime() < 0',
  },
])
