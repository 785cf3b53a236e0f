/** Nodes, calls and permits for tests. Never for use outside tests. */
import { randomUUIDv7 } from 'node:crypto'
import {
  type GatewayToNodeFrame,
  idFrom,
  type NodeResource,
  nodeArgument,
  type OperatorId,
  type Permit,
  type Resolution,
} from '@countersign/contract'
import { type BelievedNode, fingerprint, generateKey } from '@countersign/contract/node'
import type { NodeLink } from '../node-link.ts'

export function madeNode(name: string, change: Partial<BelievedNode> = {}): BelievedNode {
  const at = '2026-08-01T12:00:00.000Z'
  return {
    id: idFrom('node', randomUUIDv7()),
    executor: idFrom('exe', randomUUIDv7()),
    key: generateKey().publicKey,
    name,
    platform: 'linux',
    addedAt: at,
    revokedAt: null,
    statedAt: at,
    ...change,
  }
}

export function madeNodeResource(node: BelievedNode, change: Partial<NodeResource> = {}): NodeResource {
  return {
    type: 'node',
    node: node.id,
    executor: node.executor,
    key: fingerprint(node.key),
    name: node.name,
    capability: 'files',
    op: 'read',
    object: 'notes.txt',
    content: 'a'.repeat(64),
    ...change,
  }
}

export function madeResolution(resources: Resolution['resources']): Resolution {
  return {
    resources,
    effects: [
      { verb: 'read', object: 'a file', scope: 'boundary', reversible: true, outward: false, leaves: [] },
    ],
    sandbox: 'none',
    egress: 'none',
    secrets: [],
  }
}

export const callOn = (name: string, tool = 'device_look') => ({
  tool,
  args: JSON.stringify({ [nodeArgument]: name }),
})

/** As much of a permit as whoever carries it looks at. */
export function madePermit(
  node: BelievedNode,
  { decidedAt, resources = [madeNodeResource(node)] }: { decidedAt: Date; resources?: NodeResource[] },
): Permit {
  const subject = {
    audience: { executor: node.executor, key: fingerprint(node.key) },
    operator: idFrom('op', randomUUIDv7()) as OperatorId,
    tool: { name: 'device_look' },
    resources,
    nonce: randomUUIDv7().replaceAll('-', ''),
    notAfter: new Date(decidedAt.getTime() + 24 * 60 * 60_000).toISOString(),
  }
  const seal = { by: 'gateway', decidedAt: decidedAt.toISOString(), signature: '' }
  return { subject, seal } as unknown as Permit
}

export interface RememberedLink extends NodeLink {
  readonly sent: GatewayToNodeFrame[]
  /** Of the kind that was sent last. */
  last<Type extends GatewayToNodeFrame['type']>(type: Type): Extract<GatewayToNodeFrame, { type: Type }>
  went: ReturnType<NodeLink['send']>
}

export function rememberedLink({ id }: Pick<BelievedNode, 'id'>): RememberedLink {
  const sent: GatewayToNodeFrame[] = []
  const link: RememberedLink = {
    node: id,
    sent,
    went: 'sent',
    send(frame) {
      if (link.went === 'sent') sent.push(frame)
      return link.went
    },
    close: () => undefined,
    last(type) {
      const found = sent.findLast((frame) => frame.type === type)
      if (!found) throw new Error(`no ${type} was sent`)
      return found as never
    },
  }
  return link
}
