/** A search knows a marked file by its path only. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'executor/src/sandbox/file-program.ts',
    from: 'const linked = secondNamed(wish.without)',
    to: 'const linked = new Map<string, string>()',
  },
])
