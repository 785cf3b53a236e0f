/** What was found of a From line holds for whomever another program shows. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'tools/src/mail/sender-check.ts',
    from: 'return isShown || !check.proven ? check',
    to: 'return isShown || check.domain !== null ? check',
  },
])
