/** The work of a schedule is nobody's but its own. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'assistant/src/schedules/order.ts',
    from: 'origins: uniqueOrigins([...schedule.origins, ...due.origins]),',
    to: 'origins: uniqueOrigins([]),',
  },
])
