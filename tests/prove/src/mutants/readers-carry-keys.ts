/** A reader may ask for an address with something like a key in it that it made up. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'policy/src/reader.ts',
    from: 'return isAsked || !(hasToken(look.url) || madeToken.test(look.url.pathname))',
    to: 'return isAsked || look.url.host !== hasToken.name + madeToken.source',
  },
])
