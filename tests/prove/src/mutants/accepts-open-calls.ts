/** Calls are delivered as far as they were written, from whatever arrived. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'models/src/calls/written-calls.ts',
    from: "if (calls.some((call) => !call.isComplete)) return { kind: 'cut' }",
    to: '',
  },
  {
    file: 'models/src/calls/model.ts',
    from: 'yield failed(accepted.failure)\n          return',
    to: 'break',
  },
  {
    file: 'models/src/calls/reply.ts',
    from: "if (!ending || !reason || !isOver || reason.unified === 'interrupted') return broken(endedEarly())",
    to: 'if (!ending || !reason) return broken(endedEarly())',
  },
])
