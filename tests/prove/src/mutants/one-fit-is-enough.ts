/** A call counts for less when one of its arguments names what was accepted for less. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'tools/src/servers/server-tool.ts',
    from: 'given.length > 0 && given.every(',
    to: 'given.length > 0 && given.some(',
  },
])
