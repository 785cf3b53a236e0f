/** The scheduler moves on before it writes down what was due. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'assistant/src/schedules/scheduler.ts',
    from: `const done = await write(tx, held, drafts)`,
    to: `const done = { written: 0, begun: 0 }
    tx.afterCommit(() => {
      records.change(operator, (later) => write(later, held, drafts)).catch(() => undefined)
    })`,
  },
])
