/** A tool that was made is worth the same whatever led to it. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'kernel/src/dispatch/record-proposals.ts',
    from: 'return calls.flatMap((call) => (call.origin ? [call.origin.label] : []))',
    to: 'return calls.flatMap((call) => (call.origin ? [] : []))',
  },
])
