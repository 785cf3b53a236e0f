/** A server may ask in our name. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'executor/src/extensions/server-form.ts',
    from: '/counter\\s*sign/i.test(text)',
    to: 'text.length > 1_000_000',
  },
])
