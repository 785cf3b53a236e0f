/** A server that tells of its progress is waited for without end. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'executor/src/extensions/call-clock.ts',
    from: 'let left = callMs',
    to: 'let left = 3_600_000',
  },
])
