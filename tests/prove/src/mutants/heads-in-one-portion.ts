/** The headers of all e-mails of a look are parsed at once, however long they are. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'executor/src/mail/read-mail.ts',
    from: 'const largestPortion = 200_000',
    to: 'const largestPortion = 20_000_000',
  },
])
