/** What was being typed for a server is taken by whatever waits next. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'cli/src/chat/prompt.ts',
    from: 'if (followUp !== null) followUp = lapsed(parts, followUp, labelOf(next))',
    to: 'followUp = null',
  },
])
