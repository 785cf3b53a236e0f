/** With a question of the list goes whatever can be chosen from. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'policy/src/listed-question.ts',
    from: 'options.length === 0 || isSaidQuestion(options, soFar)',
    to: 'options.length >= 0 || isSaidQuestion(options, soFar)',
  },
])
