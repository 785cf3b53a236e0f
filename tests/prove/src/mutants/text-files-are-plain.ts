/** A text file is a plain document, whatever program looks for it. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'policy/src/plain-document.ts',
    from: "  ['md', isQuietMarkup],",
    to: "  ['md', isQuietMarkup],\n  ['txt', isQuietMarkup],",
  },
])
