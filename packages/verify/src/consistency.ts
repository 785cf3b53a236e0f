/** What entries may say about each other: intents, outcomes and approvals. Remembers effects and approvals, not entries. */
import { type FailureCode, quoted } from './failure.ts'
import type { LedgerEntry } from './line.ts'

export interface EffectCounts {
  readonly intended: number
  readonly ok: number
  readonly failed: number
  readonly refused: number
  /** The last word on these effects is that nobody knows. */
  readonly unknown: number
  /** Intended, and nothing said since. */
  readonly open: number
  readonly byApproval: number
  readonly byGrant: number
}

export interface Contradiction {
  readonly code: FailureCode
  readonly what: string
}

export interface Consistency {
  take(entry: LedgerEntry): Contradiction | undefined
  effects(): EffectCounts
}

export function createConsistency(): Consistency {
  const state: State = {
    intents: new Map(),
    approvals: new Map(),
    onceDone: new Map(),
    counts: { intended: 0, ok: 0, failed: 0, refused: 0, unknown: 0, byApproval: 0, byGrant: 0 },
  }
  return {
    take(entry) {
      switch (entry.type) {
        case 'effect.intended':
          return intended(state, entry)
        case 'effect.outcome':
          return outcome(state, entry)
        case 'approval.requested':
          return requested(state, entry)
        case 'approval.decided':
          return decided(state, entry)
        default:
          return undefined
      }
    },
    effects() {
      const { counts } = state
      const { ok, failed, refused, unknown } = counts
      return { ...counts, open: counts.intended - ok - failed - refused - unknown }
    },
  }
}

type FinalResult = 'ok' | 'failed' | 'refused'

interface Intent {
  readonly call: string
  readonly onceKey: string | undefined
  unknown: boolean
}

interface Approval {
  digest: string
  verdict: string | undefined
  /** Nonce of the intent that used it last. */
  usedBy: string | undefined
}

interface State {
  /** A settled intent keeps only its result: with a million effects, the rest would be most of the memory. */
  readonly intents: Map<string, Intent | FinalResult>
  readonly approvals: Map<string, Approval>
  /** Once-key to the entry that recorded its success. */
  readonly onceDone: Map<string, number>
  readonly counts: Record<FinalResult | 'intended' | 'unknown' | 'byApproval' | 'byGrant', number>
}

const verdicts: readonly unknown[] = ['approved', 'denied', 'expired', 'withdrawn', 'superseded']
const classes: readonly unknown[] = ['pure', 'idempotent', 'once']

function intended(state: State, entry: LedgerEntry): Contradiction | undefined {
  const { tier, nonce, key, effect, approval, grant } = entry.data
  if (
    entry.call === undefined ||
    !isText(nonce) ||
    !isText(key) ||
    !classes.includes(effect) ||
    !isTier(tier)
  ) {
    return contradiction('meaning-fields', 'an intended effect needs call, tier, nonce, key and effect class')
  }
  if ((approval !== undefined && !isText(approval)) || (grant !== undefined && !isText(grant))) {
    return contradiction('meaning-fields', 'its approval or grant is not an id')
  }
  if (state.intents.has(nonce)) {
    return contradiction('nonce-repeated', `the nonce ${quoted(nonce)} was intended before`)
  }
  state.intents.set(nonce, {
    call: entry.call,
    onceKey: effect === 'once' ? key : undefined,
    unknown: false,
  })
  state.counts.intended += 1
  if (approval !== undefined) {
    state.counts.byApproval += 1
    return useApproval(state, approval, nonce)
  }
  if (grant !== undefined) {
    state.counts.byGrant += 1
    return undefined
  }
  return tier < 2
    ? undefined
    : contradiction('approval-missing', `an effect of tier ${tier} names neither an approval nor a grant`)
}

function useApproval(state: State, id: string, nonce: string): Contradiction | undefined {
  const approval = state.approvals.get(id)
  if (approval?.verdict !== 'approved') {
    const known = approval === undefined ? 'was never requested' : `is ${approval.verdict ?? 'undecided'}`
    return contradiction('approval-not-approved', `it rests on the approval ${quoted(id)}, which ${known}`)
  }
  const earlier = approval.usedBy
  approval.usedBy = nonce
  return earlier === undefined || state.intents.get(earlier) === 'refused'
    ? undefined
    : contradiction(
        'approval-reused',
        `the approval ${quoted(id)} was used before, and that use was not refused`,
      )
}

function outcome(state: State, entry: LedgerEntry): Contradiction | undefined {
  const { nonce, result } = entry.data
  if (entry.call === undefined || !isText(nonce) || !isResult(result)) {
    return contradiction('meaning-fields', 'an outcome needs call, nonce and a known result')
  }
  const intent = state.intents.get(nonce)
  if (intent === undefined) {
    return contradiction(
      'outcome-without-intent',
      `nothing was intended before with the nonce ${quoted(nonce)}`,
    )
  }
  if (typeof intent === 'string') {
    return contradiction(
      'outcome-repeated',
      `the effect with the nonce ${quoted(nonce)} already ended: ${intent}`,
    )
  }
  if (intent.call !== entry.call) {
    return contradiction(
      'outcome-without-intent',
      `its nonce was intended for the call ${quoted(intent.call)}`,
    )
  }
  if (result === 'unknown') {
    if (!intent.unknown) state.counts.unknown += 1
    intent.unknown = true
    return undefined
  }
  if (intent.unknown) state.counts.unknown -= 1
  state.counts[result] += 1
  state.intents.set(nonce, result)
  return result === 'ok' && intent.onceKey !== undefined
    ? recordOnce(state, intent.onceKey, entry.seq)
    : undefined
}

function recordOnce(state: State, key: string, seq: number): Contradiction | undefined {
  const earlier = state.onceDone.get(key)
  if (earlier !== undefined) {
    return contradiction(
      'once-repeated',
      `the once-only key ${quoted(key)} already succeeded at entry ${earlier}`,
    )
  }
  state.onceDone.set(key, seq)
  return undefined
}

function requested(state: State, entry: LedgerEntry): Contradiction | undefined {
  const { digest } = entry.data
  if (entry.approval === undefined || !isText(digest)) {
    return contradiction('meaning-fields', 'an approval request needs approval and digest')
  }
  if (state.approvals.has(entry.approval)) {
    return contradiction('approval-digest', `the approval ${quoted(entry.approval)} was requested before`)
  }
  state.approvals.set(entry.approval, { digest, verdict: undefined, usedBy: undefined })
  return undefined
}

function decided(state: State, entry: LedgerEntry): Contradiction | undefined {
  const { verdict, digest } = entry.data
  if (entry.approval === undefined || !isText(digest) || !isText(verdict) || !verdicts.includes(verdict)) {
    return contradiction('meaning-fields', 'a decision needs approval, digest and a known verdict')
  }
  const approval = state.approvals.get(entry.approval)
  if (approval === undefined) {
    return contradiction('approval-digest', `the approval ${quoted(entry.approval)} was never requested`)
  }
  if (approval.digest !== digest) {
    return contradiction('approval-digest', 'the decision is about another digest than the request')
  }
  const earlier = approval.verdict
  approval.verdict = earlier === undefined || earlier === 'approved' ? verdict : earlier
  return verdict === 'approved' && earlier !== undefined
    ? contradiction('approval-reversed', `it approves what was already ${earlier}`)
    : undefined
}

function isTier(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 4
}

function isResult(value: unknown): value is FinalResult | 'unknown' {
  return value === 'ok' || value === 'failed' || value === 'refused' || value === 'unknown'
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

function contradiction(code: FailureCode, what: string): Contradiction {
  return { code, what }
}
