/** A server that tells of its progress is waited for without end. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'executor/src/extensions/server-connection.ts',
    from: 'maxTotalTimeout: callMs',
    to: 'maxTotalTimeout: 3_600_000',
  },
])
