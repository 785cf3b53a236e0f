/** A server is started in the workspace, as a command is. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'executor/src/extensions/server-sandbox.ts',
    from: '    instead: await mountsFor(start, places),',
    to: '    mounts: await mountsFor(start, places),',
  },
])
