/** Whoever signed an e-mail proves the sender whom it shows. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'executor/src/mail/arrived-mail.ts',
    from: 'return forThoseShown(found, from).proven',
    to: 'return found.proven',
  },
])
