/** What is invisible in the words of a server reaches the model. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'tools/src/servers/facts.ts',
    from: "forDisplay(words.toWellFormed().replaceAll(/\\s+/g, ' ')).text",
    to: "words.replaceAll(/\\s+/g, ' ')",
  },
])
