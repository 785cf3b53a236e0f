/** Whatever a program changed is taken for new documents. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'policy/src/task-facts.ts',
    from: 'return documents.every(isNew) ? documents : undefined',
    to: 'return documents',
  },
])
