/** A reader is prepared like any other agent. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'assistant/src/assistant.ts',
    from: 'if (run.answers !== null) return',
    to: 'if (run.turn < 0) return',
  },
])
