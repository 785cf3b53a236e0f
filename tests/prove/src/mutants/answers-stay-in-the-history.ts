/** What was typed for a server is kept with all that was typed. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'cli/src/chat/server-follow-up.ts',
    from: 'isUnkept: true,',
    to: '',
  },
])
