/** Where anything was hidden from a program, no mark counts for what it read. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'kernel/src/dispatch/hidden-files.ts',
    from: 'marks.filter(({ path }) => !kept.some((one) => isWithin(path, one)))',
    to: '[]',
  },
])
