/** A word that happens to be the name of a folder counts as said for it. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'policy/src/asked-place.ts',
    from: '((/[\\d/._-]/.test(place) || isRepository) && wasSaid(place, said))',
    to: '(wasSaid(place, said) || isRepository)',
  },
])
