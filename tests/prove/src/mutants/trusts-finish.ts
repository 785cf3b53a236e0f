/** The SDK's word that a reply is over is enough, also where it made it up. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'models/src/calls/reply.ts',
    from: 'const isOver = wire.ended ?? reason?.raw !== undefined',
    to: 'const isOver = reason?.raw !== undefined',
  },
])
