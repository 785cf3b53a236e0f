/** Puts a policy in force as the host's own device does it, so that a job finds the policy that it needs. */
import { type PolicyDocument, policyChangeText, sealText } from '@countersign/contract'
import { sha256Hex, signText } from '@countersign/contract/node'
import type { World } from './job.ts'

export async function putInForce({ client, scene }: World, document: PolicyDocument): Promise<void> {
  const { identity, now } = scene.installation
  const { id, keys } = identity.device
  const base = (await client.policy()).version.number
  const digest = sha256Hex(policyChangeText({ gateway: identity.trust.gateway.id, base, document }))
  const decidedAt = now().toISOString()
  const signature = signText(keys.privateKey, sealText(digest, id, decidedAt))
  await client.applyPolicy({ base, document, seal: { by: 'device', device: id, decidedAt, signature } })
}
