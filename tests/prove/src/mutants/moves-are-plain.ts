/** A folder that is moved is not looked up in the table. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'tools/src/files/file-effects.ts',
    from: 'const run = inspection.besideHead ? bareRepository : hostRunOf(inspection.path, thing)',
    to: "const run = thing === 'moved-folder' ? undefined : inspection.besideHead ? bareRepository : hostRunOf(inspection.path, thing)",
  },
])
