/** What the card says of an update is not compared with the files. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'tools/src/extensions/shown-files.ts',
    from: 'return changes === replaces?.changes ?',
    to: 'return changes === (replaces && changes) || changes === undefined ?',
  },
])
