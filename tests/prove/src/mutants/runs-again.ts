/** What was written down before is begun once more. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'assistant/src/schedules/scheduler.ts',
    from: `placed.filter(({ key }) => fresh.get(key)?.state === 'due')`,
    to: `placed.filter(({ verdict }) => verdict.state === 'due')`,
  },
])
