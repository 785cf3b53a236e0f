/** What a request says about where a record comes from is not kept. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'gateway/src/server/record-route.ts',
    from: 'if (given === undefined) return before',
    to: 'if (given !== null) return before',
  },
])
