/** What others changed while a program ran is overwritten. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'executor/src/sealed/list-program.ts',
    from: 'found.ctimeNs >= since',
    to: 'false',
  },
])
