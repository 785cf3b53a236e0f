/** What the files of an extension are together is not looked at. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'contract/src/node/file-tree.ts',
    from: 'if (total > limits.bytes) return',
    to: 'if (total < 0) return',
  },
])
