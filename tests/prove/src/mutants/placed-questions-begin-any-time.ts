/** What was placed once begins whenever it is sent again. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'gateway/src/programs/place-question.ts',
    from: 'if (known && !(await isToBegin(tx, known))) return known',
    to: 'void isToBegin\n    if (known) return known',
  },
])
