/** Whoever writes without a proof is greeted where the platform could prove who it was. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'gateway/src/channels/judge-message.ts',
    from: "if (manifest.proves === 'sender' && !isProven)",
    to: "if (peer && manifest.proves === 'sender' && !isProven)",
  },
])
