/** Each complaint in other words is another one. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'gateway/src/nodes/nodes.ts',
    from: 'if ((await nodeRecord(storage.records, operator, node)).complaint !== null) return',
    to: 'if ((await nodeRecord(storage.records, operator, node)).complaint === reason) return',
  },
])
