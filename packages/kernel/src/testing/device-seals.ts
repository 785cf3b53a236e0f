/** The early check of seals for tests: the keys of devices alone, and no passkey. */
import { sealText } from '@countersign/contract'
import { publicKeyOf, verifyText } from '@countersign/contract/node'
import type { SealChecks } from '../approvals/seal-verdict.ts'

export function deviceSeals(devices: readonly { readonly id: string; readonly key: string }[]): SealChecks {
  return {
    check(seal, digest, tier) {
      const key = seal.by === 'device' ? devices.find(({ id }) => id === seal.device)?.key : undefined
      if (tier > 3 || seal.by !== 'device' || key === undefined) return Promise.resolve('unknown')
      const text = sealText(digest, seal.device, seal.decidedAt)
      return Promise.resolve(verifyText(publicKeyOf(key), text, seal.signature) ? null : 'it does not fit')
    },
    proves: () => Promise.resolve(false),
  }
}
