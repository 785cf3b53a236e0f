/** Whoever was not let in is heard as a guest. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'gateway/src/channels/judge-message.ts',
    from: `if (!peer) return { kind: 'pair' }`,
    to: `if (!peer && !event.text.startsWith('Hello')) return { kind: 'heard', decides: false, peer: { channel: '', peer: sender.id, name: '', chat: chat.id, role: 'guest', limits: {} } }
  if (!peer) return { kind: 'pair' }`,
  },
])
