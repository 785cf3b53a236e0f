/**
 * Owns the statements by which an operator's devices and passkeys come and go. Each is signed by what is believed
 * already, so that whoever merely stores them cannot appoint anybody.
 */
import { z } from 'zod'
import { DeviceId, ExecutorId, GatewayId, NodeId } from './ids.ts'
import { canonicalText } from './json/canonical.ts'
import { PublicOrigin } from './public-origin.ts'

const Time = z.iso.datetime({ precision: 3 })

/** The highest tier that a device may approve by itself: it looks only, it decides at boundaries, or it seals. */
export const DeviceReach = z.union([z.literal(0), z.literal(2), z.literal(3)])
export type DeviceReach = z.infer<typeof DeviceReach>

const shared = { v: z.literal(1), gateway: GatewayId, at: Time }

export const DeviceStatement = z.strictObject({
  ...shared,
  kind: z.literal('device'),
  device: DeviceId,
  /** Ed25519, the raw 32 bytes. */
  key: z.base64().length(44),
  name: z.string().min(1).max(60),
  platform: z.string().max(60),
  reach: DeviceReach,
})
export type DeviceStatement = z.infer<typeof DeviceStatement>

export const PasskeyStatement = z.strictObject({
  ...shared,
  kind: z.literal('passkey'),
  /** The credential's id, base64url. */
  credential: z.string().min(16).max(1400),
  /** The public key as COSE. */
  key: z.base64().max(2000),
  name: z.string().min(1).max(60),
  /** The name of the site that it was made for; it works nowhere else. */
  site: z.string().min(1).max(253),
})
export type PasskeyStatement = z.infer<typeof PasskeyStatement>

/** Passkeys may be made and used at the pages of this origin. */
export const OriginStatement = z.strictObject({ ...shared, kind: z.literal('origin'), origin: PublicOrigin })
export type OriginStatement = z.infer<typeof OriginStatement>

/** Another computer runs calls: its key, and the executor that permits for it are made for. */
export const NodeStatement = z.strictObject({
  ...shared,
  kind: z.literal('node'),
  node: NodeId,
  executor: ExecutorId,
  /** Ed25519, the raw 32 bytes. */
  key: z.base64().length(44),
  name: z.string().min(1).max(60),
  platform: z.string().max(60),
})
export type NodeStatement = z.infer<typeof NodeStatement>

export const RevokeStatement = z.strictObject({
  ...shared,
  kind: z.literal('revoke'),
  /** A device's id, a passkey's credential, an origin, or a node's id. */
  target: z.string().min(1).max(1400),
})
export type RevokeStatement = z.infer<typeof RevokeStatement>

export const TrustStatement = z.discriminatedUnion('kind', [
  DeviceStatement,
  PasskeyStatement,
  OriginStatement,
  NodeStatement,
  RevokeStatement,
])
export type TrustStatement = z.infer<typeof TrustStatement>

/** What an authenticator answers: proof that a person was there and verified. */
export const PasskeyProof = z.strictObject({
  credential: z.string(),
  authenticatorData: z.base64(),
  clientData: z.base64(),
  signature: z.base64(),
})
export type PasskeyProof = z.infer<typeof PasskeyProof>

/** A statement with the proofs for it: of a believed device, of a passkey, or of both. */
export const SignedStatement = z.strictObject({
  statement: TrustStatement,
  by: z.strictObject({ device: DeviceId, signature: z.base64() }).nullable(),
  passkey: PasskeyProof.nullable(),
})
export type SignedStatement = z.infer<typeof SignedStatement>

/** The text that a device signs. A passkey signs its SHA-256 as the challenge. */
export function statementText(statement: TrustStatement): string {
  return `countersign/trust/v1\0${canonicalText(statement)}`
}

/** What two screens show for the same pairing: made from both keys and a number of this request. */
export function pairingText(gatewayKey: string, deviceKey: string, nonce: string): string {
  return `countersign/pairing/v1\0${gatewayKey}\0${deviceKey}\0${nonce}`
}

/**
 * What the screen of a new node and the host's own program show: made from the keys of the gateway, of the host's own
 * device and of the node. Whoever passes a request on can replace none of them, so the node knows whom to believe.
 */
export function nodePairingText(
  keys: { gateway: string; root: string; node: string },
  nonce: string,
): string {
  return `countersign/node-pairing/v1\0${keys.gateway}\0${keys.root}\0${keys.node}\0${nonce}`
}
