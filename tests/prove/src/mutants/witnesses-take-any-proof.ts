/** A proof counts for whatever size it is from. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'contract/src/ledger-witness.ts',
    from: 'textOfBytes(old) === from.root && textOfBytes(now) === to.root',
    to: 'textOfBytes(now) === to.root',
  },
])
