/** A name that begins like the public one is taken for it. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'gateway/src/server/request-place.ts',
    from: 'hostOfOrigin(origin) === host',
    to: 'host.startsWith(hostOfOrigin(origin))',
  },
])
