/** A key of the operator is read like any other file outside the workspace. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'tools/src/files/read-file.ts',
    from: "verb: credential === null ? 'read' : 'authority'",
    to: "verb: 'read'",
  },
])
