/** What strangers led to is remembered at once, as if the operator had said it. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'tools/src/memory/standing.ts',
    from: 'const label = doubt(desk)',
    to: 'const label = doubt(desk) && null',
  },
])
