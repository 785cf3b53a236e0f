/** A suggestion is made of any call that it answers. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'views/src/grants.ts',
    from: 'keyOf({ ...suggestion, covers: coversAt(stop, call) ?? [] }) === keyOf(suggestion)',
    to: 'true',
  },
])
