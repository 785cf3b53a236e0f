/** Whoever wrote an e-mail decides how long it is looked at. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'channels/src/email/read-email.ts',
    from: 'const records = askedWithin(patience, parts.records)',
    to: 'const { records } = parts',
  },
])
