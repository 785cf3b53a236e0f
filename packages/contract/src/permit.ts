/** Owns the permit: a subject and the seal of whoever had the authority to let it run. Single use. */
import { z } from 'zod'
import { DeviceId } from './ids.ts'
import { canonicalText } from './json/canonical.ts'
import { ApprovalSubject } from './subject.ts'

const Time = z.iso.datetime({ precision: 3 })
const Base64 = z.base64()

export const GatewaySeal = z.strictObject({ by: z.literal('gateway'), decidedAt: Time, signature: Base64 })
export const DeviceSeal = z.strictObject({
  by: z.literal('device'),
  device: DeviceId,
  decidedAt: Time,
  signature: Base64,
})
/** A WebAuthn assertion whose challenge is the digest. */
export const PasskeySeal = z.strictObject({
  by: z.literal('passkey'),
  credential: z.string(),
  decidedAt: Time,
  authenticatorData: Base64,
  clientData: Base64,
  signature: Base64,
})
export const Seal = z.discriminatedUnion('by', [GatewaySeal, DeviceSeal, PasskeySeal])
export type Seal = z.infer<typeof Seal>
export type DeviceSeal = z.infer<typeof DeviceSeal>
export type PasskeySeal = z.infer<typeof PasskeySeal>

export const Permit = z.strictObject({ subject: ApprovalSubject, seal: Seal })
export type Permit = z.infer<typeof Permit>

/** A permit must be spent within this time of the decision that sealed it. */
export const permitLifetimeMs = 10 * 60_000

/** Up to this tier the gateway seals what was decided; above it a device of the operator, and above that a passkey. */
export const highestGatewayTier = 2
export const highestDeviceTier = 3

/** Whether a permit that was decided then can still be spent. */
export function isFresh(decidedAt: string, now: Date): boolean {
  const age = now.getTime() - Date.parse(decidedAt)
  return age > -5_000 && age < permitLifetimeMs
}

/** The text that a gateway or device key signs. The signer is part of it, so a seal cannot change hands. */
export function sealText(digest: string, signer: string, decidedAt: string): string {
  return `countersign/seal/v1\0${canonicalText({ digest, signer, decidedAt, verdict: 'approve' })}`
}
