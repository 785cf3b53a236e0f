/**
 * Owns the messages between a gateway and a node, an executor on another computer. They go over one WebSocket that the
 * node opens. Each side proves its key over the numbers of both before anything else is said. The node runs nothing but
 * a permit, and verifies each by itself.
 */
import { z } from 'zod'
import { ExecuteReply, ResolveReply, ResolveRequest } from './executor-protocol.ts'
import { ExecutorId, GatewayId, NodeId } from './ids.ts'
import { NodeCapabilityState } from './node-capability.ts'
import { Permit } from './permit.ts'

export const nodeLinkPath = '/v1/nodes/link'
export const largestNodeFrame = 4 * 1024 * 1024

const Nonce = z.string().regex(/^[A-Za-z0-9_-]{22,64}$/)
const Signature = z.base64().max(100)

/** What a node says of itself once it is let in. */
export const NodeAdvert = z.strictObject({
  executor: ExecutorId,
  platform: z.enum(['linux', 'darwin', 'win32']),
  version: z.string().max(60),
  sandbox: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('available'), name: z.string().max(60) }),
    z.strictObject({ kind: z.literal('unavailable'), reason: z.string().max(300), fix: z.string().max(300) }),
  ]),
  /** What it calls the folder that it shares. */
  folder: z.string().max(300),
  capabilities: z.array(NodeCapabilityState).max(20),
  /** How many of the gateway's signed statements it wants no more; it is sent the others. */
  statements: z.int().min(0),
  /** The size of the ledger that it saw last; 0 before the first. */
  witnessed: z.int().min(0),
})
export type NodeAdvert = z.infer<typeof NodeAdvert>

export const NodeFrame = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('hello'), node: NodeId, nonce: Nonce }),
  z.strictObject({ type: z.literal('proof'), signature: Signature }),
  z.strictObject({ type: z.literal('ready'), advert: NodeAdvert }),
  /** Permissions changed, or a switch. */
  z.strictObject({ type: z.literal('capabilities'), capabilities: z.array(NodeCapabilityState).max(20) }),
  z.strictObject({ type: z.literal('resolved'), id: z.int(), replies: z.array(ResolveReply) }),
  z.strictObject({ type: z.literal('executed'), id: z.int(), index: z.int(), reply: ExecuteReply }),
  /** It saw this size of the ledger and keeps it; `cosignature` is a line of a signed note. */
  z.strictObject({
    type: z.literal('witnessed'),
    size: z.int().min(0),
    cosignature: z.string().max(2_000).nullable(),
  }),
  /** The ledger that it was shown is not the one that it saw before: `seen` is the checkpoint of that, as it was signed. */
  z.strictObject({
    type: z.literal('complaint'),
    size: z.int().min(0),
    reason: z.string().max(1_000),
    seen: z.string().max(8_000).exactOptional(),
  }),
])
export type NodeFrame = z.infer<typeof NodeFrame>

export const GatewayToNodeFrame = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('challenge'), nonce: Nonce, gateway: GatewayId, proof: Signature }),
  /** The node is let in and may say what it can do. */
  z.strictObject({ type: z.literal('welcome') }),
  /** It is not, and why. */
  z.strictObject({ type: z.literal('refused'), reason: z.string().max(300) }),
  z.strictObject({ type: z.literal('world'), policy: z.string(), epoch: z.int() }),
  /** Signed statements, each as the line it is kept as, from the one with this number on. */
  z.strictObject({ type: z.literal('statements'), from: z.int().min(0), lines: z.array(z.string()) }),
  z.strictObject({ type: z.literal('resolve'), id: z.int(), calls: z.array(ResolveRequest) }),
  /** Sent again after a lost connection, the same permit returns what is known instead of running twice. */
  z.strictObject({ type: z.literal('execute'), id: z.int(), permits: z.array(Permit) }),
  z.strictObject({ type: z.literal('cancel'), nonces: z.array(z.string()) }),
  /** A signed checkpoint of the ledger, and the proof that it continues the size that the node saw last. */
  z.strictObject({
    type: z.literal('checkpoint'),
    note: z.string().max(8_000),
    from: z.int().min(0),
    proof: z.array(z.base64().length(44)).max(64),
  }),
])
export type GatewayToNodeFrame = z.infer<typeof GatewayToNodeFrame>

export interface NodeLinkNonces {
  readonly gateway: GatewayId
  readonly node: NodeId
  readonly nodeNonce: string
  readonly gatewayNonce: string
}

/** What either side signs, each with its own word, so that no proof can be sent back as the other's. */
export function nodeLinkText(by: 'gateway' | 'node', nonces: NodeLinkNonces): string {
  const { gateway, node, nodeNonce, gatewayNonce } = nonces
  return `countersign/node-link/v1\0${by}\0${gateway}\0${node}\0${nodeNonce}\0${gatewayNonce}`
}
