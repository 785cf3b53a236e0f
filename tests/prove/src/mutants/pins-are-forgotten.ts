/** What takes the place of a pinned server is not looked at. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'tools/src/extensions/pins.ts',
    from: 'return entry?.pinned',
    to: "return entry?.name === ''",
  },
])
