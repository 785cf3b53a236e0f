/** What nobody sees in the names and values of a schema is shown to models. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'tools/src/servers/facts.ts',
    from: 'if (holdsHiddenSignsWithin(schema)) return',
    to: 'if (false) return',
  },
])
