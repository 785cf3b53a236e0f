/** A request under a name of this computer was made on this computer, also where a proxy brings it. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'gateway/src/server/request-place.ts',
    from: 'bears(ofProxies) ? undefined : {',
    to: '{',
  },
])
