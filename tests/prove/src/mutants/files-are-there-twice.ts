/** The last of two files of one name in an archive counts. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'contract/src/node/skills/tar.ts',
    from: 'if (files.has(path))',
    to: 'if (files.size < 0)',
  },
  {
    file: 'contract/src/node/skills/zip.ts',
    from: 'if (files.has(entry.name))',
    to: 'if (files.size < 0)',
  },
])
