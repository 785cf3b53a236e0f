/** A pairing link can be used again. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'gateway/src/devices/invitations.ts',
    from: 'open.delete(invitation)',
    to: 'open.has(invitation)',
  },
])
