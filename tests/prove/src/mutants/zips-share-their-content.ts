/** Entries of a zip may share what is packed. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'contract/src/node/skills/zip.ts',
    from: 'if (entry.at < before)',
    to: 'if (before < 0)',
  },
])
