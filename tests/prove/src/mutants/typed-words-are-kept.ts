/** The arrow up brings what was typed into a private conversation. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'cli/src/commands/chat.ts',
    from: 'talk.to.private ? onlyReading(kept) : kept',
    to: 'talk.to.private ? kept : kept',
  },
])
