/** A document is plain whatever it holds. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'policy/src/plain-document.ts',
    from: '(texts.get(ending)?.(text) ?? false)',
    to: 'texts.has(ending)',
  },
])
