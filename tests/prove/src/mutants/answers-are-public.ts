/** An answer is worth the same whether a secret opened it or not. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'kernel/src/dispatch/execute-permits.ts',
    from: 'return used.length > 0 ?',
    to: 'return used.length > 99 ?',
  },
])
