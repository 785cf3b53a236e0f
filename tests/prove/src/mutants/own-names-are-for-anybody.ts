/** A server may name a tool as we name ours for its resources. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'executor/src/extensions/listing.ts',
    from: 'if (name.startsWith(ownToolPrefix)) throw',
    to: 'if (false) throw',
  },
])
