/** What does not run is not written down. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'assistant/src/schedules/consider-time.ts',
    from: `for (const at of times) drafts.push(`,
    to: `for (const at of times) if (at >= line) drafts.push(`,
  },
])
