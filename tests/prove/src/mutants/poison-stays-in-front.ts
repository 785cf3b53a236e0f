/** A message that cannot be handled is tried for ever, and its chat waits behind it. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'gateway/src/channels/intake.ts',
    from: 'const isOver = attempts + 1 >= mostTries',
    to: 'const isOver = attempts + 1 < 0 * mostTries',
  },
])
