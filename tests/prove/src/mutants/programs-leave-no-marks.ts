/** What a program wrote is not marked. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'kernel/src/dispatch/file-labels.ts',
    from: 'mayWriteAnywhere(subject) ? (',
    to: 'mayWriteAnywhere(subject) && false ? (',
  },
])
