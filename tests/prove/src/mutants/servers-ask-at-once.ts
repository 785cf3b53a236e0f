/** All questions of a server stand before the operator at once. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'executor/src/extensions/server-questions.ts',
    from: 'before.then(() => putNow(call, form, gone))',
    to: 'putNow(call, form, gone)',
  },
])
