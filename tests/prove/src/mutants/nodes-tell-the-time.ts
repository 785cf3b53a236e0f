/** A call began when the node says so, whenever that is. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'gateway/src/nodes/node-answers.ts',
    from: 'return new Date(isNear ? time : now).toISOString()',
    to: 'return new Date(isNear || !Number.isNaN(time) ? time : now).toISOString()',
  },
])
