/** A list says by itself where a wish holds. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'policy/src/asked-place.ts',
    from: '(isSaid(path) || (isSaidFolder && !isSetting(path)))',
    to: 'path !== ""',
  },
])
