/** A page of somebody else may ask too. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'gateway/src/server/auth.ts',
    from: 'return origin === undefined || options.places.isPage(origin, place) ? place : undefined',
    to: 'return place',
  },
])
