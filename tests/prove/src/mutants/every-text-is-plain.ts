/** A document is plain whatever it holds. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'policy/src/plain-document.ts',
    from: 'return texts.get(ending)?.(text) ?? false',
    to: 'return texts.has(ending)',
  },
])
