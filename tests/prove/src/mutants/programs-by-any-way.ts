/** A program is of the system when its path begins so. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'executor/src/programs.ts',
    from: 'isVisible(name) && normalize(name) === name',
    to: "isVisible(name) && normalize(name) !== ''",
  },
])
