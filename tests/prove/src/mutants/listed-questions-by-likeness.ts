/** A question that is nearly one of the list counts as one. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'policy/src/listed-question.ts',
    from: 'plan.questions.includes(question)',
    to: 'plan.questions.some((each) => question.toLowerCase().startsWith(each.toLowerCase()))',
  },
])
