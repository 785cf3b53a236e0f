/** As many questions begin as are asked before the first of them costs anything. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'gateway/src/programs/place-question.ts',
    from: '>= mostUnpriced)',
    to: '>= mostUnpriced * 1_000)',
  },
])
