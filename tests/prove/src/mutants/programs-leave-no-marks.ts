/** What a program wrote is not marked. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'kernel/src/dispatch/file-labels.ts',
    from: 'if (isRemembered(label)) {',
    to: 'if (isRemembered(label) && !coversNothing) {',
  },
])
