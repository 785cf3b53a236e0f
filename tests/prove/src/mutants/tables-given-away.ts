/** The assistant's role may also write a column of the table of calls: their permits. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'assistant/src/outbox/migration.ts',
    from: "select give_to_assistant('outbox');",
    to: "select give_to_assistant('outbox'); grant update (permit) on calls to countersign_assistant;",
  },
])
