/** Owns changes of the policy as attacks make them: sealed by a key of theirs, or by the operator for something else. */
import {
  type ApplyPolicy,
  type PolicyDocument,
  policyChangeText,
  registrationText,
  sealText,
} from '@countersign/contract'
import { type KeyPair, sha256Hex, signText } from '@countersign/contract/node'
import {
  type Authenticator,
  createAuthenticator,
} from '../../../../../packages/executor/src/testing/authenticator.ts'
import { passkeyStatement, signedBy } from '../../../../../packages/executor/src/testing/statements.ts'
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

/** The operator adds a passkey on the page of this gateway. */
export async function addPasskey({ installation, gateway }: Scene): Promise<Authenticator> {
  const { device, trust } = installation.identity
  const passkey = createAuthenticator({ origin: `http://localhost:${new URL(gateway.url).port}` })
  const statement = passkeyStatement(trust.gateway.id, passkey, installation.now())
  if (statement.kind !== 'passkey') throw new Error('not a passkey')
  const { clientData, attestationObject } = passkey.register(registrationText(trust.gateway.id, device.id))
  await gateway.client.registerPasskey({
    signed: { ...signedBy(statement, device), statement },
    registration: { clientData, attestationObject },
  })
  return passkey
}

/** Sealed by the operator in person. */
export function provenChange(
  { installation }: Pick<Scene, 'installation'>,
  passkey: Authenticator,
  base: number,
  document: PolicyDocument,
): ApplyPolicy {
  const { gateway } = installation.identity.trust
  const digest = sha256Hex(policyChangeText({ gateway: gateway.id, base, document }))
  const decidedAt = installation.now().toISOString()
  const proof = passkey.prove(sealText(digest, passkey.credential, decidedAt))
  return { base, document, seal: { by: 'passkey', decidedAt, ...proof } }
}
