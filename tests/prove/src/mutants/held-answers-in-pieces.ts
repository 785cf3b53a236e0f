/** Of an answer in several messages each is shown by itself, and one releases all. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'gateway/src/channels/channel-views.ts',
    from: 'text: [first, ...others].map(({ text }) => text).join(',
    to: 'text: [first, ...others].slice(0, 1).map(({ text }) => text).join(',
  },
])
