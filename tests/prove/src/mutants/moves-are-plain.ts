/** A folder that is moved is not looked up in the table. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'tools/src/files/place.ts',
    from: 'const run = sight.besideHead ? bareRepository : hostRunOf(sight.path, thing)',
    to: "const run = thing === 'moved-folder' ? undefined : sight.besideHead ? bareRepository : hostRunOf(sight.path, thing)",
  },
])
