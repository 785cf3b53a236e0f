/** A search takes its key to whatever address the arguments say, as if it were the service's own. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'tools/src/web/search-web.ts',
    from: 'endpoint === undefined ? namesOf(provider) : []',
    to: 'endpoint === null ? [] : namesOf(provider)',
  },
])
