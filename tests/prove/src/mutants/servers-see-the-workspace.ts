/** A server is started in the workspace, as a command is. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'executor/src/extensions/server-sandbox.ts',
    from: '    instead: [...mounts, ...(await mountsFor(start, places))],',
    to: '    mounts: [...mounts, ...(await mountsFor(start, places))],',
  },
])
