/** Whoever was put out is told of it, and stays connected. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'gateway/src/nodes/nodes.ts',
    from: "gate.drop(id, 'this node was revoked')",
    to: '',
  },
])
