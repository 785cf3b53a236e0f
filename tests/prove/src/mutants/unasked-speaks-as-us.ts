/** The note of a call that is let ask repeats what the call is about. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'kernel/src/runs/operator-runs.ts',
    from: 'text: letAskText(tool)',
    to: 'text: letAskText(`${tool} ${headline}`)',
  },
])
