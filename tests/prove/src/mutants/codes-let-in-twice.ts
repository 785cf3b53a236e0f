/** A code is not used up by whoever was let in with it. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'gateway/src/channels/peers.ts',
    from: `    .where('state', '=', 'asking')
    .where('asked_at', '>', new Date(tx.now.getTime() - codeMs))
    .forUpdate()`,
    to: `    .where('asked_at', '>', new Date(tx.now.getTime() - codeMs))
    .forUpdate()`,
  },
  {
    file: 'gateway/src/channels/peers.ts',
    from: `    code: null,
    paired_at: tx.now,`,
    to: '    paired_at: tx.now,',
  },
])
