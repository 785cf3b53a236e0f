/** All that a node answers is taken as it is. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'gateway/src/nodes/node-calls.ts',
    from: 'const { ok, text, summary, undo } = reply.result',
    to: 'if (parts.clock()) return reply\n    const { ok, text, summary, undo } = reply.result',
  },
])
