/** A folder is as it was, whatever its mode. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'executor/src/sealed/place-program.ts',
    from: "return entry.kind === 'folder' && now.mode === entry.mode",
    to: "return entry.kind === 'folder'",
  },
])
