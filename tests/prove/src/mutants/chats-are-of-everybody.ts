/** Whoever writes in a private chat goes on in the conversation of whoever it belongs to. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'gateway/src/channels/intake.ts',
    from: 'if (other) return undefined',
    to: '',
  },
])
