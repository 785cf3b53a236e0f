/** The executor keeps its memory of used permits in its process, so a restart forgets them. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'executor/src/replay-store.ts',
    from: 'const database = open(path)',
    to: "const database = open(path && ':memory:')",
  },
])
