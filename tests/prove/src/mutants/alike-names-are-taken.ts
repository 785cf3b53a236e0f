/** Files whose names differ only in case or spelling are taken. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'contract/src/node/file-tree.ts',
    from: "written.normalize('NFKC').toLowerCase()",
    to: 'written',
  },
])
