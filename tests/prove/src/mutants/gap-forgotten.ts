/** Times of a civil day are left to the hands of the clock. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'assistant/src/schedules/instants.ts',
    from: `const times = namesHours ?`,
    to: `const times = namesHours && hours.length === 1 ?`,
  },
])
