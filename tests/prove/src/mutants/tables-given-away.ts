/** The assistant's role may also write a column of the table of calls: their permits. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'assistant/src/own-tables.ts',
    from: "select give_to_assistant(${names.map((name) => `'${name}'`).join(', ')});",
    to: "select give_to_assistant(${names.map((name) => `'${name}'`).join(', ')}); grant update (permit) on calls to countersign_assistant;",
  },
])
