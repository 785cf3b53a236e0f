/** Owns minting. Only here does the gateway's key seal, and only for tiers that it may seal. */
import {
  type ApprovalSubject,
  CountersignError,
  highestGatewayTier,
  type Permit,
  type Seal,
  sealText,
} from '@countersign/contract'
import { digestOf, type KeyPair, signText } from '@countersign/contract/node'

export interface Permits {
  /** Seals with the gateway's key. Refuses everything above the boundary tier. */
  mint(subject: ApprovalSubject, decidedAt: Date): { readonly permit: Permit; readonly digest: string }
}

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
  }
}
