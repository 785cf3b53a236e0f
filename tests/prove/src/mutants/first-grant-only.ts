/** Only the oldest grant of a tool is looked at. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'kernel/src/approvals/grants.ts',
    from: 'return standing.find(',
    to: 'return standing.slice(0, 1).find(',
  },
])
