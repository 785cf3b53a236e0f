/** Every folder of a server may be written. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'executor/src/extensions/server-sandbox.ts',
    from: 'at: from.replace(root, sandboxWorkspace), write })',
    to: 'at: from.replace(root, sandboxWorkspace), write: true })',
  },
])
