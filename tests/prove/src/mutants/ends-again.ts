/** An end that is told twice is kept twice. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'assistant/src/schedules/occurrences.ts',
    from: `    .where('id', '=', id)
    .where('state', '=', 'due')`,
    to: `    .where('id', '=', id)`,
  },
])
