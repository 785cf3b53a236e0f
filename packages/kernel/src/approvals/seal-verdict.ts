/** Owns what a verdict must be sealed with, by tier, and what a grant with it needs. The executor checks again. */
import {
  CountersignError,
  type DecideApproval,
  type DeviceReach,
  type DeviceSeal,
  type GrantRequest,
  highestDeviceTier,
  highestGatewayTier,
  isBroad,
  isFresh,
  type PasskeyProof,
  type PasskeySeal,
  permitLifetimeMs,
  type RuleRequest,
  ruleText,
  type Seal,
} from '@countersign/contract'
import type { Permits } from '../permits/permits.ts'
import type { Actor } from '../store/store.ts'
import { type ApprovalRow, endedError, subjectOf } from './approval-row.ts'
import { isOffered, termsOf } from './grants.ts'

/** An early answer for people: the executor checks again and has the last word. */
export interface SealChecks {
  /** Why the seal does not hold, or null. */
  check(seal: DeviceSeal | PasskeySeal, digest: string, tier: number): Promise<string | null>
  /** Whether a passkey of the operator signed the text. */
  proves(proof: PasskeyProof, text: string): Promise<boolean>
}

/** Who decides, and up to which tier their device may. */
export interface Decider extends Actor {
  readonly reach: DeviceReach
}

export interface SealPorts {
  readonly clock: () => Date
  readonly permits: Permits
  readonly seals: SealChecks
}

export async function sealFor(
  { clock, permits, seals }: SealPorts,
  row: ApprovalRow,
  verdict: Extract<DecideApproval, { verdict: 'approve' }>,
  decider: Decider,
): Promise<Seal> {
  if (row.state !== 'pending') throw endedError(row)
  if (verdict.digest !== row.digest) {
    throw new CountersignError(
      'conflict',
      'The text that you approved differs from the pending request. Read it again.',
    )
  }
  if (verdict.grant) {
    await checkGrant(seals, row, verdict.grant, verdict.proof)
    requireReachFor(verdict.grant, row, decider)
  }
  const now = clock()
  if (row.tier > highestDeviceTier && verdict.seal?.by !== 'passkey')
    throw new CountersignError('step_up_needed', 'A critical call needs your passkey.', {
      next: 'Decide it in the web app; `countersign open approvals` opens it. If you have no passkey yet, add one there under Devices.',
    })
  if (!verdict.seal) {
    if (row.tier > highestGatewayTier)
      throw new CountersignError(
        'not_authenticated',
        'A call that leaves your hands needs the seal of your device.',
      )
    if (row.tier > decider.reach)
      throw new CountersignError('not_authenticated', `${decider.id} may only look.`, {
        next: 'Decide it on another device, or raise the access of this one with `countersign device limit`.',
      })
    return permits.mint(subjectOf(row), now).permit.seal
  }
  if (!isFresh(verdict.seal.decidedAt, now)) {
    const minutes = permitLifetimeMs / 60_000
    throw new CountersignError('expired', `A seal must arrive within ${minutes} minutes. Seal it again.`)
  }
  const problem = await seals.check(verdict.seal, row.digest, row.tier)
  if (problem !== null) throw new CountersignError('not_authenticated', `The seal is not valid: ${problem}.`)
  return verdict.seal
}

/** What was not approved, or by nobody who may approve it, is no ground for a rule; a broad one needs a card. */
export function requireApproved(row: ApprovalRow, rule: RuleRequest, { id, reach }: Decider): void {
  if (row.state !== 'approved' || isBroad(rule) || !isOffered(rule, row.offers))
    throw new CountersignError('usage', 'This request is no ground for such a rule.', {
      next: 'Make the rule on a card that offers it.',
    })
  if (row.tier > reach) throw notInAdvance(id)
  requireReachFor(rule, row, { id, reach })
}

/** What strangers lead to asks as a call that leaves the operator's hands, so the same devices may allow it in advance. */
function requireReachFor(
  grant: GrantRequest,
  { offers }: ApprovalRow,
  { id, reach }: Pick<Decider, 'id' | 'reach'>,
): void {
  if (termsOf(grant, offers).untrusted && reach <= highestGatewayTier) throw notInAdvance(id)
}

function notInAdvance(id: string): CountersignError {
  return new CountersignError('not_authenticated', `${id} may not allow this in advance.`, {
    next: 'Do it on another device, or raise the access of this one with `countersign device limit`.',
  })
}

/** A grant must be one that the request offers. A rule that covers a whole tool needs the operator in person. */
async function checkGrant(
  seals: SealChecks,
  row: ApprovalRow,
  grant: GrantRequest,
  proof?: PasskeyProof,
): Promise<void> {
  if (!isOffered(grant, row.offers))
    throw new CountersignError(
      'usage',
      'This call can only be approved once: no grant of this kind would cover it.',
      {
        next: 'Approve it once; `countersign approval show` lists the options.',
      },
    )
  if (grant.scope !== 'rule' || !isBroad(grant)) return
  if (!proof || !(await seals.proves(proof, ruleText(row.id, row.digest, grant))))
    throw new CountersignError('step_up_needed', 'A rule this broad needs your passkey.', {
      next: 'Save it in the web app, or make it narrower.',
    })
}
