/** All days of the month are searched for together. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'assistant/src/schedules/instants.ts',
    from: 'return short.length === 0 ? long : [short.join(), ...long]',
    to: 'return [days.join()]',
  },
])
