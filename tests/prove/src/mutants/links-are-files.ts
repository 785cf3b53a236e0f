/** A link is judged as a file of its name. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'tools/src/files/held-files.ts',
    from: "const thing = file.kind === 'file' ? 'file'",
    to: "const thing = file.kind !== 'folder' ? 'file'",
  },
])
