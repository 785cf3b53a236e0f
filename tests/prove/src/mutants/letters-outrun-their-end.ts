/** What is sent to somebody in a chat goes out although they were put out since they were looked up. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'gateway/src/channels/chat-services.ts',
    from: "if (typeof now !== 'object' || now.chat !== chat)",
    to: 'if (now === undefined)',
  },
])
