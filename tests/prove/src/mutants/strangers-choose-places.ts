/** Where a call was led by strangers counts as chosen in the operator's task. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'kernel/src/dispatch/task-so-far.ts',
    from: "in ('operator', 'tool'), false)",
    to: "in ('operator', 'tool', 'untrusted'), false)",
  },
])
