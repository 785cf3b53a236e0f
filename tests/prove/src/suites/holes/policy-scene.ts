/** Owns changes of the policy as attacks make them: sealed by a key of theirs, or by the operator for something else. */
import { type ApplyPolicy, type PolicyDocument, policyChangeText, sealText } from '@countersign/contract'
import { type KeyPair, sha256Hex, signText } from '@countersign/contract/node'
import type { Scene } from './stage.ts'

export function sealedChange(
  { installation }: Pick<Scene, 'installation'>,
  base: number,
  document: PolicyDocument,
  keys: KeyPair = installation.identity.device.keys,
): ApplyPolicy {
  const { trust, device } = installation.identity
  const digest = sha256Hex(policyChangeText({ gateway: trust.gateway.id, base, document }))
  const decidedAt = installation.now().toISOString()
  const signature = signText(keys.privateKey, sealText(digest, device.id, decidedAt))
  return { base, document, seal: { by: 'device', device: device.id, decidedAt, signature } }
}

/** The level that is in force after the change was sent; a refusal is told. */
export async function levelAfter({ gateway }: Pick<Scene, 'gateway'>, change: unknown): Promise<string> {
  const refused = await gateway.client.applyPolicy(change as ApplyPolicy).then(
    () => 'taken',
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  )
  const { version } = await gateway.client.policy()
  return `${version.autonomy} (${refused})`
}
