/** All questions of a server stand before the operator at once. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'executor/src/extensions/server-questions.ts',
    from: 'before.then(() => putNow(desk, call, form, gone))',
    to: 'putNow(desk, call, form, gone)',
  },
])
