/** A program is told what the operator calls its conversations. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'gateway/src/programs/own-things.ts',
    from: ".select(sql<string>`left(messages.text, ${longestTitle})`.as('text'))",
    to: ".select(sql<string>`left(sessions.title, ${longestTitle})`.as('text'))",
  },
])
