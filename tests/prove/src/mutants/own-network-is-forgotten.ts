/** A task that reached the operator's own network looks on as before. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'policy/src/plain-look.ts',
    from: 'if (soFar.looks >= mostLooks || soFar.wasInside) return false',
    to: 'if (soFar.looks >= mostLooks) return false',
  },
])
