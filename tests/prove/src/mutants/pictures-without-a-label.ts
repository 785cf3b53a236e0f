/** A picture enters a prompt and brings no label. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'kernel/src/runs/shown-messages.ts',
    from: 'if (files.length === 0) return',
    to: 'if (files.length < 1_000) return',
  },
])
