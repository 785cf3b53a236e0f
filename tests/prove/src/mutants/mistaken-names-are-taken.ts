/** Names of files that could be mistaken or lead elsewhere are taken. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'contract/src/node/file-tree.ts',
    from: ' || badCharacters.test(path))',
    to: ')',
  },
])
