/** What comes in waits until all that came before is done with, in whichever chat. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'gateway/src/channels/chat-turns.ts',
    from: 'const room = mostAtOnce - turns.size',
    to: 'const room = turns.size > 0 ? 0 : 1',
  },
])
