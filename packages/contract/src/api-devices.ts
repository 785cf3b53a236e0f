/** Owns the shapes of pairing, devices and passkeys on the wire, and the texts that prove who asks. */
import { z } from 'zod'
import { DeviceId, GatewayId } from './ids.ts'
import { DeviceReach, PasskeyStatement, SignedStatement } from './trust-statement.ts'

const Base64 = z.base64()
const Id = z.string().regex(/^[0-9a-f]{32}$/)
/** Without control characters and halves of characters. */
const Line = z.string().regex(/^[^\p{Cc}\p{Cs}]*$/u)
/** A SHA-256 as base64url. */
const Invitation = z.string().regex(/^[A-Za-z0-9_-]{43}$/)
const Name = Line.trim().min(1).max(60)

/** What a page without a device may know of the gateway. */
export const PairingInfo = z.strictObject({
  gateway: GatewayId,
  /** Ed25519, the raw 32 bytes: the words are made with it. */
  key: Base64,
  name: z.string(),
  /** Whether a passkey can sign in a new browser. */
  passkeys: z.boolean(),
})
export type PairingInfo = z.infer<typeof PairingInfo>

export const PairingRequestBody = z.strictObject({
  key: Base64.length(44),
  name: Name,
  platform: Line.trim().max(60),
  reach: DeviceReach,
  /** 128 bits or more, base64url. */
  nonce: z.string().regex(/^[A-Za-z0-9_-]{22,64}$/),
  /** Of the key, over `pairingText`. */
  signature: Base64.max(100),
  /** From the link that the operator's own program opened: HMAC-SHA256 of `linkText` with the secret as text. */
  proof: Base64.length(44).optional(),
  /** From the same link, `invitationText` of the secret hashed: elsewhere than on this computer only who was invited may ask. */
  invitation: Invitation.optional(),
})
export type PairingRequestBody = z.infer<typeof PairingRequestBody>

/** One device may ask to be let in at a public origin, once, within minutes. */
export const PairingInvitation = z.strictObject({ invitation: Invitation, origin: z.string().max(300) })
export type PairingInvitation = z.infer<typeof PairingInvitation>

export const PairingInvited = z.strictObject({ expiresAt: z.string() })
export type PairingInvited = z.infer<typeof PairingInvited>

export const PairingRequested = z.strictObject({
  id: Id,
  /** Who it will be, if it is let in. */
  device: DeviceId,
  expiresAt: z.string(),
})
export type PairingRequested = z.infer<typeof PairingRequested>

export const PairingState = z.strictObject({
  state: z.enum(['waiting', 'approved', 'refused', 'expired']),
  device: DeviceId.nullable(),
  /** As it was let in, which may be less than was asked for. */
  reach: DeviceReach.nullable(),
})
export type PairingState = z.infer<typeof PairingState>

/** A request as a device sees it that may let the new one in. It makes the words itself. */
export const PairingRequestView = z.strictObject({
  id: Id,
  device: DeviceId,
  key: Base64,
  name: z.string(),
  platform: z.string(),
  reach: DeviceReach,
  nonce: z.string(),
  proof: Base64.nullable(),
  createdAt: z.string(),
  expiresAt: z.string(),
})
export type PairingRequestView = z.infer<typeof PairingRequestView>

export const DeviceView = z.strictObject({
  id: DeviceId,
  name: z.string(),
  platform: z.string(),
  key: Base64,
  reach: DeviceReach,
  addedAt: z.string(),
  revokedAt: z.string().nullable(),
  /** Named by the trust file of the host itself. */
  root: z.boolean(),
  /** Since the gateway was started. */
  seenAt: z.string().nullable(),
  connections: z.int(),
  thisOne: z.boolean(),
})
export type DeviceView = z.infer<typeof DeviceView>

export const PasskeyView = z.strictObject({
  credential: z.string(),
  name: z.string(),
  site: z.string(),
  addedAt: z.string(),
  revokedAt: z.string().nullable(),
})
export type PasskeyView = z.infer<typeof PasskeyView>

export const OriginView = z.strictObject({
  origin: z.string(),
  /** Named by the settings of the gateway, so that it answers there. */
  served: z.boolean(),
  /** Since when passkeys may be made and used there; null where nobody said so. */
  acceptedAt: z.string().nullable(),
})
export type OriginView = z.infer<typeof OriginView>

export const DeviceList = z.strictObject({
  devices: z.array(DeviceView),
  passkeys: z.array(PasskeyView),
  /** Where the app is elsewhere than on this computer. */
  origins: z.array(OriginView),
  /** Statements that were passed over, with the reason. */
  problems: z.array(z.string()),
})
export type DeviceList = z.infer<typeof DeviceList>

export const RenameDevice = z.strictObject({ name: Name })
export type RenameDevice = z.infer<typeof RenameDevice>

/** The statement, and what the authenticator answered when it made the key. */
export const RegisterPasskey = z.strictObject({
  signed: SignedStatement.extend({ statement: PasskeyStatement }),
  registration: z.strictObject({ clientData: Base64.max(8_000), attestationObject: Base64.max(60_000) }),
})
export type RegisterPasskey = z.infer<typeof RegisterPasskey>

/** The challenge of a registration is its SHA-256: a key made for one gateway and device is no other's. */
export function registrationText(gateway: string, device: string): string {
  return `countersign/passkey/v1\0${gateway}\0${device}`
}

/** What the secret of a pairing link is used on, so that the link itself never travels. */
export function linkText(key: string, nonce: string): string {
  return `countersign/pairing-link/v1\0${key}\0${nonce}`
}

/** Its SHA-256 tells the gateway that a page came by a link, and says nothing of the secret in it. */
export function invitationText(secret: string): string {
  return `countersign/invitation/v1\0${secret}`
}
