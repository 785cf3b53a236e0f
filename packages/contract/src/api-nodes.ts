/** Owns the shapes of nodes on the wire: how one is paired, and what the operator is told of each. */
import { z } from 'zod'
import { DeviceId, ExecutorId, GatewayId, NodeId, OperatorId } from './ids.ts'
import { NodeCapabilityState } from './node-capability.ts'
import { NodeAdvert } from './node-link.ts'
import { SignedStatement } from './trust-statement.ts'

const Key = z.base64().length(44)
const RequestId = z.string().regex(/^[0-9a-f]{32}$/)
/** Without control characters and halves of characters. */
const Line = z.string().regex(/^[^\p{Cc}\p{Cs}]*$/u)

/** What a new node must know before it shows words. It believes none of it until the operator has compared them. */
export const NodePairingInfo = z.strictObject({
  gateway: GatewayId,
  key: Key,
  operator: OperatorId,
  /** The host's own device, which lets nodes in. */
  root: z.strictObject({ device: DeviceId, key: Key, name: z.string(), addedAt: z.string() }),
})
export type NodePairingInfo = z.infer<typeof NodePairingInfo>

export const NodePairingBody = z.strictObject({
  key: Key,
  name: Line.trim().min(1).max(60),
  platform: Line.trim().max(60),
  /** 128 bits or more, base64url. */
  nonce: z.string().regex(/^[A-Za-z0-9_-]{22,64}$/),
  /** Of the key, over `nodePairingText`. */
  signature: z.base64().max(100),
  /** Elsewhere than on this computer only who was invited may ask. */
  invitation: z
    .string()
    .regex(/^[A-Za-z0-9_-]{43}$/)
    .optional(),
})
export type NodePairingBody = z.infer<typeof NodePairingBody>

export const NodePairingRequested = z.strictObject({
  id: RequestId,
  /** Who it will be, and what its executor will be called, if it is let in. */
  node: NodeId,
  executor: ExecutorId,
  expiresAt: z.string(),
})
export type NodePairingRequested = z.infer<typeof NodePairingRequested>

export const NodePairingState = z.strictObject({
  state: z.enum(['waiting', 'approved', 'refused', 'expired']),
  /** What was signed about it, which it checks itself. */
  signed: SignedStatement.nullable(),
})
export type NodePairingState = z.infer<typeof NodePairingState>

/** A request as the host's own program sees it. It makes the words itself. */
export const NodePairingRequestView = z.strictObject({
  id: RequestId,
  node: NodeId,
  executor: ExecutorId,
  key: Key,
  name: z.string(),
  platform: z.string(),
  nonce: z.string(),
  createdAt: z.string(),
  expiresAt: z.string(),
})
export type NodePairingRequestView = z.infer<typeof NodePairingRequestView>

export const NodeView = z.strictObject({
  id: NodeId,
  name: z.string(),
  platform: z.string(),
  key: Key,
  addedAt: z.string(),
  revokedAt: z.string().nullable(),
  /** Whether it is connected now, to this gateway. */
  online: z.boolean(),
  /** Since the gateway was started. */
  seenAt: z.string().nullable(),
  /** What it said of itself last; null before it was connected. */
  advert: NodeAdvert.nullable(),
  /** As the operator limits it here: what is off is refused before the node is asked. */
  off: z.array(NodeCapabilityState.shape.capability),
  /** What it said against the ledger, if it did. */
  complaint: z.string().nullable(),
  /** Calls that it runs now. */
  busy: z.int(),
})
export type NodeView = z.infer<typeof NodeView>

export const NodeList = z.strictObject({ nodes: z.array(NodeView) })
export type NodeList = z.infer<typeof NodeList>

/** What is switched off here, whole. */
export const LimitNode = z.strictObject({ off: z.array(NodeCapabilityState.shape.capability).max(20) })
export type LimitNode = z.infer<typeof LimitNode>
