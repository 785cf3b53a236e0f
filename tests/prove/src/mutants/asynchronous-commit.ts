/** The database acknowledges a commit before it is written, as it does with a popular setting for more speed. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'gateway/src/database/cluster.ts',
    from: "synchronous_commit: 'on'",
    to: "synchronous_commit: 'off'",
  },
])
