/** A shorter ledger is kept in the place of a longer one. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'contract/src/ledger-witness.ts',
    from: `  if (note.size < seen.size)
    return complaint(`,
    to: `  if (note.size < seen.size) return kept
  if (note.size < 0)
    return complaint(`,
  },
])
