/** The folders of a server are not named in a call of it. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'tools/src/servers/server-folders.ts',
    from: "if (launch.kind === 'http') return []",
    to: 'if (launch) return []',
  },
])
