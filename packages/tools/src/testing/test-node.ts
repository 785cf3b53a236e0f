/** A node for tests: it looks at a folder of this computer, and refuses what it is told to refuse. */
import type { NodeCapability } from '@countersign/contract'
import { sha256Hex } from '@countersign/contract/node'
import type { NodeInspector, NodeRefusal } from '../devices/node-inspector.ts'
import type { Inspector } from '../inspector.ts'

export interface TestNode {
  readonly name?: string
  readonly missing?: readonly NodeCapability[]
  readonly refuses?: (object: string) => NodeRefusal | undefined
}

export function testNodeInspector(
  folder: Pick<Inspector, 'locate' | 'file' | 'program'>,
  { name = 'laptop', missing = [], refuses = () => undefined }: TestNode = {},
): NodeInspector {
  return {
    identity: async () => ({
      node: 'node_01980000000070008000000000000001' as never,
      executor: 'exe_01980000000070008000000000000002' as never,
      key: sha256Hex('key of the node'),
      name,
    }),
    refusal: async (capability) =>
      missing.includes(capability) ? { reason: `No ${capability} here.`, fix: 'Install one.' } : undefined,
    refusalOf: async ({ object }) => refuses(object),
    folder,
  }
}
