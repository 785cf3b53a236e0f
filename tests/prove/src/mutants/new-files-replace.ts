/** A new file is put in place by a rename, which replaces what is there. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'executor/src/sandbox/file-program.ts',
    from: 'if (previous === null) placeNew(',
    to: 'if (previous === null) fs.renameSync(',
  },
])
