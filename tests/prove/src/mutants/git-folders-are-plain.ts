/** A write into a git folder is a write like any other. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'tools/src/files/place.ts',
    from: "part.toLowerCase() === '.git'",
    to: "part.toLowerCase() === '.never'",
  },
])
