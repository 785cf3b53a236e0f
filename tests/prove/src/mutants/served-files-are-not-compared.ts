/** A file of a skill that a server serves is taken, whatever its hash. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'executor/src/extensions/server-skills.ts',
    from: 'if (bytes.length !== size || `sha256:${sha256Hex(bytes)}` !== digest)',
    to: 'if (bytes.length < 0 && sha256Hex(bytes) === digest + size)',
  },
])
