/** What a server says is not counted. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'executor/src/extensions/stream-transport.ts',
    from: 'if (said > maxSaidBytes)',
    to: 'if (said < 0)',
  },
])
