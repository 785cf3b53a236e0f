/** A server may ask for passwords, keys and codes. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'executor/src/extensions/server-form.ts',
    from: 'if (secret || (asked.length > 0 && wantsSecret(message)))',
    to: 'if (secret && wantsSecret(message) && asked.length < 0)',
  },
])
