/** What is held is taken over for any run. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'executor/src/sealed/held-changes.ts',
    from: 'if (record.run !== run)',
    to: 'if (false)',
  },
])
