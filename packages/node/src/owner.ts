/** Owns what the owner of this computer takes away: by a pause, by their policy, and by the ledger that their node saw. */
import { canonicalText, type NodeCapabilityState, type NodeResource } from '@countersign/contract'
import type { PermitCheck } from '@countersign/executor/node'
import type { NodeRefusal } from '@countersign/tools'
import type { LedgerWatch } from './ledger-watch.ts'
import { isPaused, type NodePaths } from './node-home.ts'
import { capabilityRefusal, type OwnerPolicy, tierRefusal } from './node-policy.ts'
import type { NodeTrust } from './node-trust.ts'

export interface OwnerParts {
  readonly paths: NodePaths
  readonly trust: NodeTrust
  readonly ledger: Pick<LedgerWatch, 'complaint'>
  /** Read anew each time. */
  readonly policy: () => OwnerPolicy
}

/** Of every call, for an early answer; a permit is refused by the check below. */
export function refusalOfAll({ paths, ledger }: OwnerParts): NodeRefusal | undefined {
  if (isPaused(paths)) return paused
  const complaint = ledger.complaint()
  if (complaint === null) return undefined
  return {
    reason: `It complains about the ledger: ${complaint.reason}.`,
    fix: 'See `countersign ledger witnesses`.',
  }
}

const paused: NodeRefusal = {
  reason: 'Its owner paused it.',
  fix: 'Run `countersign node resume` there.',
}

/** Made after all that the executor checks. */
export function checkOfOwner({ paths, trust, ledger, policy }: OwnerParts): PermitCheck {
  return async ({ permit: { subject } }) => {
    if (isPaused(paths)) return 'its owner paused it'
    const identity = await trust.identity()
    if ('problem' in identity) return identity.problem
    const isOwn = ({ node, executor, key, name }: NodeResource) =>
      canonicalText({ node, executor, key, name }) === canonicalText({ ...identity })
    const [first, ...more] = subject.resources
    if (first?.type !== 'node' || more.length > 0 || !isOwn(first))
      return 'it touches what is not of this node'
    const complaint = ledger.complaint()
    if (complaint !== null && subject.tier > 0)
      return `the node complains about the ledger: ${complaint.reason}`
    return tierRefusal(policy(), subject.tier)
  }
}

/** What can be done here, less what the owner took away. */
export function narrowedBy(
  { paths, policy }: Pick<OwnerParts, 'paths' | 'policy'>,
  states: readonly NodeCapabilityState[],
): NodeCapabilityState[] {
  const owner = policy()
  const all = isPaused(paths) ? paused : undefined
  return states.map((state) => {
    const refusal = capabilityRefusal(owner, state.capability) ?? all
    if (!refusal) return state
    return { ...state, state: 'off', reason: refusal.reason.slice(0, 300), fix: refusal.fix.slice(0, 300) }
  })
}
