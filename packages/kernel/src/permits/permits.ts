/** Owns minting. Only here does the gateway's key seal, and only for tiers that it may seal. */
import {
  type ApprovalSubject,
  CountersignError,
  type DeviceSeal,
  type Permit,
  permitLifetimeMs,
  type Seal,
  sealText,
} from '@countersign/contract'
import { digestOf, type KeyPair, publicKeyOf, signText, verifyText } from '@countersign/contract/node'

export interface Permits {
  /** Seals with the gateway's key. Refuses everything above the boundary tier. */
  mint(subject: ApprovalSubject, decidedAt: Date): { readonly permit: Permit; readonly digest: string }
  /** Checks a device's seal. An early answer for people: the executor checks again and has the last word. */
  checkDeviceSeal(
    subject: ApprovalSubject,
    seal: DeviceSeal,
    publicKey: string,
    now: Date,
  ): 'good' | 'bad' | 'stale'
}

export const highestGatewayTier = 2

export function createPermits(options: { gateway: string; key: KeyPair }): Permits {
  return {
    mint(subject, decidedAt) {
      if (subject.tier > highestGatewayTier) {
        throw new CountersignError(
          'step_up_needed',
          `The gateway cannot seal a call of tier T${subject.tier}.`,
        )
      }
      const at = decidedAt.toISOString()
      const digest = digestOf(subject)
      const signature = signText(options.key.privateKey, sealText(digest, options.gateway, at))
      const seal: Seal = { by: 'gateway', decidedAt: at, signature }
      return { permit: { subject, seal }, digest }
    },
    checkDeviceSeal(subject, seal, publicKey, now) {
      if (!isFresh(seal.decidedAt, now)) return 'stale'
      const text = sealText(digestOf(subject), seal.device, seal.decidedAt)
      return verifyText(publicKeyOf(publicKey), text, seal.signature) ? 'good' : 'bad'
    },
  }
}

/** Whether a permit that was decided then can still be spent. */
export function isFresh(decidedAt: string, now: Date): boolean {
  const age = now.getTime() - Date.parse(decidedAt)
  return age > -5_000 && age < permitLifetimeMs
}
