/** What is sent again elsewhere is done for the same record. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'kernel/src/start.ts',
    from: 'const same = elsewhere === undefined ? found.work : apart(found.work, run)',
    to: 'const same = found.work',
  },
])
