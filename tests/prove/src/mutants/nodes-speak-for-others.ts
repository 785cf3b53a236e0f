/** What a node says of another one counts. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'gateway/src/nodes/node-calls.ts',
    from: 'function isOf(node: BelievedNode, resource: NodeResource): boolean {\n  return (',
    to: 'function isOf(node: BelievedNode, resource: NodeResource): boolean {\n  return resource.type === "node" || (',
  },
])
