/** The key that an index names is kept by nobody. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'cli/src/extension-indexes/read-index.ts',
    from: 'kept: { ...kept, key, seen }',
    to: 'kept: { ...kept, seen }',
  },
])
