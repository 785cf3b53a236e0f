/** A folder holds whatever begins with its name. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'policy/src/grants/cover.ts',
    from: "path.startsWith(folder.endsWith(':') ? folder : `${folder}/`)",
    to: 'path.startsWith(folder)',
  },
])
