/** Questions of a list have no bound. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'policy/src/listed-question.ts',
    from: 'question === undefined || questions >= mostQuestions',
    to: 'question === undefined || questions < 0',
  },
])
