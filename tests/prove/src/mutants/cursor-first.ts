/** The clockwork moves on before it writes down what was due. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'assistant/src/schedules/clockwork.ts',
    from: `const done = await write(hand, held, drafts)`,
    to: `const done = { written: 0, begun: 0 }
    hand.afterCommit(() => {
      records.change(operator, (later) => write(later, held, drafts)).catch(() => undefined)
    })`,
  },
])
