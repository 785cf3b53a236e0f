/** What is written among packages is never marked, also where the operator called them theirs. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'kernel/src/dispatch/file-labels.ts',
    from: 'const own = await ownAround(unit.db, marked)',
    to: 'const own: string[] = []',
  },
])
