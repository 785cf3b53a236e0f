/** The gateway takes and signs whatever address a client says that it dialled. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'gateway/src/server/proof.ts',
    from: 'elsewhere.includes(claimed) ?',
    to: "claimed !== '' ?",
  },
])
