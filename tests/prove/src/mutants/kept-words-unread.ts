/** A kept file is told without a look at what it is by now. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'executor/src/extensions/tree-store.ts',
    from: 'return sha256Hex(read.bytes) === file.sha256 ? read.bytes',
    to: 'return read.bytes.length <= file.size ? read.bytes',
  },
])
