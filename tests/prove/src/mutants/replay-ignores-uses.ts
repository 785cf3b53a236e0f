/** A simulation uses a grant without end. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'kernel/src/dispatch/simulate.ts',
    from: 'grant.uses += 1',
    to: 'grant.uses += 0',
  },
])
