/** The key that an index names is believed without a signature. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'cli/src/extension-indexes/read-index.ts',
    from: 'key === kept.key || key === null ? undefined',
    to: 'key === kept.key || key !== kept.key ? undefined',
  },
])
