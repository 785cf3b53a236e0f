/** A new version of a skill counts as written after less than the former one. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'executor/src/capabilities/extensions.ts',
    from: 'former?.writtenBy ?',
    to: "former?.writtenBy && agent === '' ?",
  },
])
