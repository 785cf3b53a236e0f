/** A headline stands in the list of what waits as its call has it. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'gateway/src/channels/chat-acts.ts',
    from: 'shortened(forDisplay(card.headline).text)',
    to: 'card.headline',
  },
])
