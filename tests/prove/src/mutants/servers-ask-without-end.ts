/** A server asks as often as it likes in one call. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'executor/src/extensions/server-questions.ts',
    from: 'call.asked > serverLimits.mostQuestions',
    to: 'call.asked > 1000',
  },
])
