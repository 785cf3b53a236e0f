/** A result from which a value was taken out is worth no more than another. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'kernel/src/dispatch/execute-permits.ts',
    from: 'if (holdsMark(text) || holdsMark(summary))',
    to: 'if (secrets.length > 99)',
  },
])
