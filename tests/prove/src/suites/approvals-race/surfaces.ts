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
import { approvalFor, type Installation } from '@countersign/harness'

/** Longer than a request waits by itself, and shorter than it can be made to wait. */
export const extendedHours = 48

export type ApprovalAct = 'approve' | 'deny' | 'edit' | 'extend'

/** What a device asked for and what it was told. */
export interface ApprovalAttempt {
  readonly approval: ApprovalId
  readonly act: ApprovalAct
  readonly device: string
  readonly told: 'done' | { readonly code: string; readonly message: string }
}

export interface ApprovalSurface {
  readonly device: string
  attempt(url: string, approval: ApprovalId, act: ApprovalAct, editedArgs: string): Promise<ApprovalAttempt>
}

/** Before the gateway starts: the second device is written to the trust file, as the operator's own program would. */
export function twoSurfaces(installation: Installation): readonly [ApprovalSurface, ApprovalSurface] {
  const keys = generateKey()
  const id = idFrom('dev', randomUUIDv7())
  const trust = readTrust(installation.paths.trust)
  const device = {
    id,
    name: 'second',
    key: keys.publicKey,
    addedAt: new Date().toISOString(),
    revokedAt: null,
  }
  const both = { ...trust, devices: [...trust.devices, device] }
  replaceFile(installation.paths.trust, `${JSON.stringify(both, null, 2)}\n`)
  return [
    surfaceOf(installation, installation.identity),
    surfaceOf(installation, { trust: both, device: { id, keys } }),
  ]
}

function surfaceOf(installation: Installation, identity: HostIdentity): ApprovalSurface {
  // The ledger and the people are told the name.
  const device = identity.trust.devices.find(({ id }) => id === identity.device.id)?.name ?? ''
  const signer = { ...fileSigner(identity), now: installation.now }
  return {
    device,
    async attempt(url, approval, act, editedArgs) {
      const client = createClient({ url, signer })
      const told = await tell(() =>
        performAct(client, { identity, now: installation.now }, approval, act, editedArgs),
      )
      return { approval, act, device, told }
    },
  }
}

async function performAct(
  client: Client,
  who: Parameters<typeof approvalFor>[0],
  approval: ApprovalId,
  act: ApprovalAct,
  editedArgs: string,
): Promise<unknown> {
  switch (act) {
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

async function tell(performAct: () => Promise<unknown>): Promise<ApprovalAttempt['told']> {
  try {
    await performAct()
    return 'done'
  } catch (error) {
    if (error instanceof CountersignError) return { code: error.code, message: error.message }
    // A gateway that dies while it answers leaves half an answer.
    return { code: 'gateway_unreachable', message: String(error) }
  }
}
