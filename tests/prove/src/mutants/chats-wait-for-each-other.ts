/** What comes in waits until all that came before is done with, in whichever chat. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'gateway/src/channels/chat-turns.ts',
    from: 'const found = await look(new Set(busy))',
    to: 'const found = busy.size > 0 ? { work: [], next: null } : await look(new Set(busy))',
  },
])
