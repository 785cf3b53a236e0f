/** A mark that was covered stays away when the covering write is taken back. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'kernel/src/dispatch/file-labels.ts',
    from: 'if (undoes && written.length > 0) {',
    to: 'if (false) {',
  },
])
