/** A folder that is looked at for the first time counts as if nothing were in it yet. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'executor/src/mail/arrived-mail.ts',
    from: 'uid: Math.max(Number(uidNext) - 1, 0),',
    to: 'uid: 0,',
  },
])
