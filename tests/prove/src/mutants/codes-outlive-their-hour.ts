/** A code lets in however long ago it was shown. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'gateway/src/channels/peers.ts',
    from: `    .where('asked_at', '>', new Date(tx.now.getTime() - codeMs))
    .forUpdate()`,
    to: '    .forUpdate()',
  },
])
