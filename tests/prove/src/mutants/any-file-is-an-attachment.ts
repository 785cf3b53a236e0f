/** Whatever lies in the workspace can be named as sent with a message. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'contract/src/attachments.ts',
    from: String.raw`/^attachments\/[\w.-]{1,100}$/`,
    to: String.raw`/^[\w./-]{1,100}$/`,
  },
])
