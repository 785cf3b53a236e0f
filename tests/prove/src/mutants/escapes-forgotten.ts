/** A text that was made safe before is not warned of any more. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'contract/src/display/sanitise.ts',
    from: 'for (const [, point, times] of text.matchAll(ESCAPE)) flags.add(escapedFlag(point, times))',
    to: '',
  },
])
