/** A file that can be run as a program counts as any other. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'tools/src/files/held-files.ts',
    from: "if (file.runs && effect.scope === 'inside')",
    to: 'if (false)',
  },
])
