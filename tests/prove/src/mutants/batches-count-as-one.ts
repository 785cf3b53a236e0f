/** What stands inside another call is not counted. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'kernel/src/dispatch/call-limits.ts',
    from: "return call.args !== '' || call.invalid !== null",
    to: 'return call.parent === null',
  },
])
