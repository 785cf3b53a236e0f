/** Links in a zip are taken for files. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'contract/src/node/skills/zip.ts',
    from: 'if (type !== 0 && type !==',
    to: 'if (type === 1 && type !==',
  },
])
