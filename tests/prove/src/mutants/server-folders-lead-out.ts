/** A folder of a server may be a link out of the workspace. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'executor/src/extensions/server-sandbox.ts',
    from: 'if (from !== root && !from.startsWith(root + sep))',
    to: 'if (false)',
  },
])
