/** A witness keeps whatever ledger it is shown. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'contract/src/ledger-witness.ts',
    from: '  if (continues) return kept',
    to: '  if (continues || seen.size > 0) return kept',
  },
])
