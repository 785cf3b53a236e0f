/** An answer that does not fit the question of a server is handed on. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'executor/src/extensions/server-questions.ts',
    from: 'problemWithAnswers(form, reply.values) !== undefined',
    to: 'problemWithAnswers(form, reply.values) === ""',
  },
])
