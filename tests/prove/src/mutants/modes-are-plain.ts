/** Whom a file is opened to is no matter. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'tools/src/files/held-files.ts',
    from: "if (file.mode !== null && opens(file.mode) && effect.scope === 'inside')",
    to: 'if (false)',
  },
])
