/** Words in a conversation answer a question of a server. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'kernel/src/approvals/questions.ts',
    from: "\n    .where('kind', '!=', 'server')",
    to: '',
  },
])
