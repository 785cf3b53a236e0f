/** An address at a host that was visited may say whatever fits into it. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'policy/src/plain-look.ts',
    from: 'soFar.visited.has(url.hostname) && saysNothing(url, soFar)',
    to: 'soFar.visited.has(url.hostname)',
  },
])
