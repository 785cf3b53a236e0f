/** An automation is worth the same whatever led to it. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'assistant/src/schedules/order.ts',
    from: 'return left && right ? joinLabels(left, right) : (left ?? right)',
    to: 'return left && right ? null : null',
  },
])
