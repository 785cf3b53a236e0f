/** A later skill of another address at the server takes the place of the one that was reviewed. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'contract/src/skill-origin.ts',
    from: 'former.servedBy.uri === uri',
    to: "former.servedBy.uri !== ''",
  },
])
