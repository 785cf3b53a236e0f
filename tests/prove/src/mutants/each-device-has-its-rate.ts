/** Calls are counted for each device by itself. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'kernel/src/dispatch/call-rates.ts',
    from: "kind === 'operator' || kind === 'schedule'",
    to: "kind === 'schedule'",
  },
])
