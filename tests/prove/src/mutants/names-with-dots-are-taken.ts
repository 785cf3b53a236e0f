/** A path of an extension may go up, stay where it is, or have empty parts. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'contract/src/node/file-tree.ts',
    from: "part === '' || part === '.' || part === '..'",
    to: "part === '/'",
  },
])
