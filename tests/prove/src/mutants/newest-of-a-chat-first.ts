/** Of what waits in a chat the newest goes first. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'gateway/src/channels/outbox.ts',
    from: `        order by chat, position\`.execute(db)`,
    to: `        order by chat, position desc\`.execute(db)`,
  },
])
