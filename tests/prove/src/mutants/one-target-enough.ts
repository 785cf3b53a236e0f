/** A call is covered when one of its targets is. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'policy/src/grants/cover.ts',
    from: 'targets?.every((target)',
    to: 'targets?.some((target)',
  },
])
