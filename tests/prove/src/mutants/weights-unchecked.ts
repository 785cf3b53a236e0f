/** Weights and engine are taken as they lie there. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'contract/src/node/speech-part.ts',
    from: 'if (found === sha256) continue',
    to: 'if (found !== undefined) continue',
  },
])
