/** What is switched off for a node is refused when it is looked at, and not when it is sent. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'gateway/src/nodes/node-calls.ts',
    from: "const closed = subject.resources.find((each) => each.type === 'node' && off.includes(each.capability))",
    to: "const closed = subject.resources.find((each) => each.type === 'node' && off.length > 99)",
  },
])
