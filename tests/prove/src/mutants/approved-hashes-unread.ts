/** Files are let in whatever the hash is that was approved. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'executor/src/extensions/tree-store.ts',
    from: 'if (hash !== expected) return refused(',
    to: 'if (false) return refused(',
  },
])
