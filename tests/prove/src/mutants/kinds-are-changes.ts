/** A file that becomes a folder is a file that changed. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'tools/src/files/held-files.ts',
    from: "return file.change === 'replaced' ? [{ ...effect, verb: 'delete' }, effect] : [effect]",
    to: 'return [effect]',
  },
])
