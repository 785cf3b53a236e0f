/** What strangers led to is remembered at once, as if the operator had said it. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'tools/src/memory/memory-trust.ts',
    from: 'const label = doubtfulLabel(context)',
    to: 'const label = doubtfulLabel(context) && null',
  },
])
