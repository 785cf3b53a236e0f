/** A wish is fulfilled as often as it comes. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'policy/src/asked-for.ts',
    from: '(plan.used[index] ?? 0) + count <= Math.min(one.count, mostAsked)',
    to: 'index >= 0',
  },
])
