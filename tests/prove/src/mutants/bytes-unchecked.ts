/** A file is sealed with whatever bytes it has. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'executor/src/sealed/seal-file.ts',
    from: 'return sha256 === expected',
    to: 'return sha256 !== undefined',
  },
])
