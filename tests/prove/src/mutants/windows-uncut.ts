/** A task begins with a clean label, and with all that was said before it. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'kernel/src/store/session-window.ts',
    from: 'greatest(archived_to + 1, window_from)',
    to: '0',
  },
])
