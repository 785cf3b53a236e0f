/** The key of an occurrence says the day and not the time. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'assistant/src/schedules/consider-time.ts',
    from: `return new Date(at).toISOString()`,
    to: `return new Date(at).toISOString().slice(0, 10)`,
  },
])
