/** A node that was started again knows of no permit that it ran. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'node/src/node-executor.ts',
    from: 'openReplayStore({ path: paths.replay, now })',
    to: 'openReplayStore({ path: `${paths.replay}-${process.pid}`, now })',
  },
])
