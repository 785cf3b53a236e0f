/** An answer is worth the same whether a secret opened it or not. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'kernel/src/dispatch/execute-permits.ts',
    from: 'return secrets.length > 0 ?',
    to: 'return secrets.length > 99 ?',
  },
])
