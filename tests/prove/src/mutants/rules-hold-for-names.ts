/** A rule about a folder holds for calls that name it, and for no other. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'policy/src/decide.ts',
    from: '...withPlaces(facts, set.needs)',
    to: '...withPlaces({ ...facts, resources: [] }, set.needs)',
  },
])
