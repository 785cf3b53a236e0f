/** A reply is taken for whole although the stream ended early. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'models/src/calls/reply.ts',
    from: "if (!ending || !reason || !isOver || reason.unified === 'interrupted') return broken(endedEarly())",
    to: 'if (!ending || !reason) return broken(endedEarly())',
  },
])
