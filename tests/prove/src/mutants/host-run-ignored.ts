/** What programs on the host run is written like any other file. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'tools/src/files/file-effects.ts',
    from: "scope: run ? scopes[run.runs] : 'inside'",
    to: "scope: 'inside'",
  },
])
