/** An answer of a model that does not tell its use costs nothing. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'executor/src/coding-agents/model-door.ts',
    from: 'return told.input + told.output > 0 ? told : likelyTokens(request, answer)',
    to: 'return told ?? likelyTokens(request, answer)',
  },
])
