/** Whoever sends a file, the operator writes it. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'gateway/src/channels/chat-files.ts',
    from: "speaker.role === 'operator'\n        ?",
    to: "speaker.role !== 'guest'\n        ?",
  },
])
