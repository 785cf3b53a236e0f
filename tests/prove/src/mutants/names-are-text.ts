/** A path that stands for bytes which are no text is hidden like any other. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'executor/src/sealed/hide-files.ts',
    from: ' || path.includes(notText)) continue',
    to: ') continue',
  },
])
