/** A name stands on a card as it is. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'tools/src/files/held-files.ts',
    from: '${forDisplay(file.path).text}',
    to: '${file.path}',
  },
])
