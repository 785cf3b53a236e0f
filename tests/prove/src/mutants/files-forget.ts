/** A file is worth the same whatever was written into it. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'kernel/src/dispatch/file-labels.ts',
    from: 'if (isRemembered(label)) {',
    to: 'if (isRemembered(label) && label === undefined) {',
  },
])
