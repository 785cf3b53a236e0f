/** A word that happens to be the name of a folder counts as said for it. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'policy/src/asked-for.ts',
    from: 'const isPlace = /[\\d/._-]/.test(place) || isRepository(place, call)',
    to: 'const isPlace = call !== undefined',
  },
])
