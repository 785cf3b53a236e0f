/** Only the oldest grant of a tool is looked at. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'kernel/src/approvals/grants.ts',
    from: 'return live.find(',
    to: 'return live.slice(0, 1).find(',
  },
])
