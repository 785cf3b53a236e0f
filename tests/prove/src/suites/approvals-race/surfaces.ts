/** Owns the two devices of the operator that decide at once, and what each was told. */
import { randomUUIDv7 } from 'node:crypto'
import { type ApprovalId, CountersignError, idFrom } from '@countersign/contract'
import { type Client, createClient } from '@countersign/contract/client'
import {
  fileSigner,
  generateKey,
  type HostIdentity,
  readTrust,
  replaceFile,
} from '@countersign/contract/node'
import { approvalFor, type House } from '@countersign/harness'

/** Longer than a request waits by itself, and shorter than it can be made to wait. */
export const extendedHours = 48

export type Deed = 'approve' | 'deny' | 'edit' | 'extend'

/** What a device asked for and what it was told. */
export interface Attempt {
  readonly approval: ApprovalId
  readonly deed: Deed
  readonly device: string
  readonly told: 'done' | { readonly code: string; readonly message: string }
}

export interface Surface {
  readonly device: string
  attempt(url: string, approval: ApprovalId, deed: Deed, editedArgs: string): Promise<Attempt>
}

/** Before the gateway starts: the second device is written to the trust file, as the operator's own program would. */
export function twoSurfaces(house: House): readonly [Surface, Surface] {
  const keys = generateKey()
  const id = idFrom('dev', randomUUIDv7())
  const trust = readTrust(house.paths.trust)
  const device = {
    id,
    name: 'second',
    key: keys.publicKey,
    addedAt: new Date().toISOString(),
    revokedAt: null,
  }
  const both = { ...trust, devices: [...trust.devices, device] }
  replaceFile(house.paths.trust, `${JSON.stringify(both, null, 2)}\n`)
  return [surfaceOf(house, house.identity), surfaceOf(house, { trust: both, device: { id, keys } })]
}

function surfaceOf(house: House, identity: HostIdentity): Surface {
  // The ledger and the people are told the name.
  const device = identity.trust.devices.find(({ id }) => id === identity.device.id)?.name ?? ''
  const signer = { ...fileSigner(identity), now: house.now }
  return {
    device,
    async attempt(url, approval, deed, editedArgs) {
      const client = createClient({ url, signer })
      const told = await tell(() => act(client, { identity, now: house.now }, approval, deed, editedArgs))
      return { approval, deed, device, told }
    },
  }
}

async function act(
  client: Client,
  who: Parameters<typeof approvalFor>[0],
  approval: ApprovalId,
  deed: Deed,
  editedArgs: string,
): Promise<unknown> {
  switch (deed) {
    case 'approve':
      return client.decide(approval, approvalFor(who, await client.approval(approval)))
    case 'deny':
      return client.decide(approval, { verdict: 'deny', reason: 'not now', stop: false })
    case 'edit':
      return client.editApproval(approval, editedArgs)
    case 'extend':
      return client.extendApproval(approval, extendedHours)
  }
}

async function tell(act: () => Promise<unknown>): Promise<Attempt['told']> {
  try {
    await act()
    return 'done'
  } catch (error) {
    if (error instanceof CountersignError) return { code: error.code, message: error.message }
    // A gateway that dies while it answers leaves half an answer.
    return { code: 'gateway_unreachable', message: String(error) }
  }
}
