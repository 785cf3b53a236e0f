/** Owns a change on a node: the call, and what the node says that it would touch. */
import type { ResolveReply } from '@countersign/contract'
import { type BelievedNode, fingerprint } from '@countersign/contract/node'

export const changeOn = (node: string) => ({
  name: 'device_write_file',
  args: { node, path: 'plan.txt', content: 'changed' },
})

export function changedBy(node: BelievedNode): ResolveReply {
  return {
    kind: 'resolved',
    resolution: {
      resources: [
        {
          type: 'node',
          node: node.id,
          executor: node.executor,
          key: fingerprint(node.key),
          name: node.name,
          capability: 'files',
          op: 'write',
          object: 'plan.txt',
          content: null,
        },
      ],
      effects: [
        {
          verb: 'write',
          object: `plan.txt on ${node.name}`,
          scope: 'boundary',
          reversible: true,
          outward: false,
          leaves: [],
        },
      ],
      sandbox: 'none',
      egress: 'none',
      secrets: [],
    },
  }
}
