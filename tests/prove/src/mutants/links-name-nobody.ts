/** A page with a link speaks to whichever gateway is there. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'web/src/app/pair/expected-gateway.ts',
    from: 'return (await fingerprintOf(key)) === link.gateway',
    to: "return (await fingerprintOf(key)) !== ''",
  },
])
