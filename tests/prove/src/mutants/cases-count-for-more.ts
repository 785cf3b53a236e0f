/** A tool of a server can be accepted that counts for more by one word only. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'tools/src/servers/accept-server-tools.ts',
    from: 'cases.some((each) => each.tier > tier)',
    to: 'cases.length > 20',
  },
])
