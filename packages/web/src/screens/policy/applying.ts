/** Owns putting a draft in force: sealed here over every byte of it, by this device, or in person where it asks less. */

import { type PolicyDocument, type PolicyView, policyChangeText, sealText } from '@countersign/contract'
import { sha256Hex } from '../../data/digest.ts'
import { useChange } from '../../environment/queries.ts'
import { type Services, useServices } from '../../environment/services.tsx'
import { useNotify } from '../../kit/index.ts'
import { words as common } from '../../words/common.ts'
import { words } from '../../words/policy.tsx'

export interface PolicyToApply {
  readonly view: PolicyView
  /** The version that the draft was begun from. */
  readonly base: number
  readonly document: PolicyDocument
  /** What is loosened needs the passkey, where there is one. */
  readonly loosens: boolean
}

type Seal = Parameters<Services['client']['applyPolicy']>[0]['seal']

/** Throws with what to do when nobody sealed it. */
export async function sealPolicy(
  { passkeys, thisDevice, client, now }: Pick<Services, 'passkeys' | 'thisDevice' | 'client' | 'now'>,
  { view, base, document, loosens }: PolicyToApply,
): Promise<Seal> {
  const digest = await sha256Hex(policyChangeText({ gateway: thisDevice.gateway, base, document }))
  const decidedAt = now().toISOString()
  if (!loosens || !view.passkey) {
    const signature = await thisDevice.sign(sealText(digest, thisDevice.device, decidedAt))
    return { by: 'device', device: thisDevice.device as never, decidedAt, signature }
  }
  const known = (await client.devices()).passkeys.filter(({ revokedAt }) => revokedAt === null)
  const credential = known[0]?.credential
  if (credential === undefined) throw new Error(words.apply.noPasskey)
  const proof = await passkeys.prove(sealText(digest, credential, decidedAt), [credential])
  if (proof.kind === 'cancelled') throw new Error(words.apply.cancelled)
  if (proof.kind === 'impossible') throw new Error(proof.reason)
  return { by: 'passkey', decidedAt, ...proof.value }
}

export function useApplying(after: () => void) {
  const services = useServices()
  const notify = useNotify()
  const change = useChange(
    async (client, given: PolicyToApply) =>
      client.applyPolicy({
        base: given.base,
        document: given.document,
        seal: await sealPolicy(services, given),
      }),
    [['policy'], ['grants'], ['status']],
  )
  return {
    busy: change.isPending,
    problem: change.error,
    apply: (given: PolicyToApply) =>
      change.mutate(given, {
        onSuccess: ({ version, ledger }) => {
          after()
          notify({ text: `${words.apply.done(version.number)} ${common.ledgerEntry(ledger)}` })
        },
      }),
  }
}
