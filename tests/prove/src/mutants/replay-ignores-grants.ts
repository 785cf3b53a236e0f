/** A simulation knows no grants. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'kernel/src/dispatch/simulate.ts',
    from: '?.find((each) => speaksFor(each, subject, isTainted))',
    to: '?.find(() => false)',
  },
])
