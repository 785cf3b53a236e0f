/** Owns what the last quarter of an hour says of each provider: how calls fared, how fast, and whether it is left alone. */
import type { SpentCall } from '@countersign/agent'
import type { ProviderHealth } from '@countersign/contract'
import {
  afterCall,
  type Breaker,
  closedBreaker,
  isForgotten,
  type ProbeRole,
  stateOf,
  withoutProbe,
  withProbe,
} from './breaker.ts'
import { partsOf } from './ref.ts'

export interface CallRecord {
  readonly provider: string
  readonly model: string
  /** When it ended, in milliseconds since 1970. */
  readonly at: number
  readonly outcome: SpentCall['outcome']
  readonly firstTokenMs: number | null
  readonly retryAfterMs?: number
  /** What went wrong, in words. */
  readonly problem?: string
}

export interface Latency {
  readonly calls: number
  readonly failures: number
  /** Until the first token, half of the calls took no longer. */
  readonly medianMs: number | null
}

export type Admission =
  | {
      readonly kind: 'admitted'
      /** Owed for every admission, with what came of the call, or with nothing where none was made. Safe to repeat. */
      leave(call?: CallRecord): void
    }
  | { readonly kind: 'resting'; readonly waitMs: number }

export interface Health {
  /**
   * Asked right before a call. A provider after a rest gets one call at a time until one delivers. One to which there
   * is no alternative is always asked: leaving it alone would help nobody.
   */
  admit(provider: string, isOnly?: boolean): Admission
  /** What went wrong last, if the last call that says something of the provider failed. */
  problem(provider: string): string | null
  /** For a call that asked for no admission. */
  record(call: CallRecord): void
  /** Takes up what was recorded before a restart. */
  seed(calls: readonly CallRecord[]): void
  view(provider: string): ProviderHealth
  latency(ref: string): Latency
  /** After a change of the provider, when what it did before says nothing any more. */
  forget(provider: string): void
}

const WINDOW_MS = 15 * 60_000
const MOST_RECORDS = 500
/** While another call is finding out whether the provider is back. */
const PROBE_WAIT_MS = 5_000

interface ProviderRecord {
  records: readonly CallRecord[]
  breaker: Breaker
}

/** `clock` in milliseconds since 1970. */
export function createHealth(options: { readonly clock: () => number }): Health {
  const { clock } = options
  const providers = new Map<string, ProviderRecord>()

  function recent(provider: string, model?: string): readonly CallRecord[] {
    const now = clock()
    const records = providers.get(provider)?.records ?? []
    return records.filter(
      (call) => now - call.at < WINDOW_MS && (model === undefined || call.model === model),
    )
  }

  function take(call: CallRecord, role: ProbeRole): void {
    sweep()
    const kept = providers.get(call.provider) ?? { records: [], breaker: closedBreaker }
    providers.set(call.provider, {
      records: [...kept.records, call].filter(({ at }) => clock() - at < WINDOW_MS).slice(-MOST_RECORDS),
      breaker: afterCall(kept.breaker, call, role),
    })
  }

  /** A provider that was removed must not be remembered for ever. */
  function sweep(): void {
    const now = clock()
    for (const [provider, { records, breaker }] of providers) {
      if (isForgotten(breaker, now) && records.every(({ at }) => now - at >= WINDOW_MS))
        providers.delete(provider)
    }
  }

  function change(provider: string, to: (breaker: Breaker) => Breaker): void {
    const kept = providers.get(provider)
    if (kept) kept.breaker = to(kept.breaker)
  }

  function admission(provider: string, role: ProbeRole): Admission {
    let left = false
    return {
      kind: 'admitted',
      leave: (call) => {
        if (left) return
        left = true
        if (call) take(call, role)
        else if (role === 'probe') change(provider, withoutProbe)
      },
    }
  }

  /** After a rest whoever called without asking has found out what a probe would. */
  function record(call: CallRecord): void {
    const state = stateOf(providers.get(call.provider)?.breaker ?? closedBreaker, call.at)
    take(call, state.kind === 'half-open' && !state.probing ? 'probe' : 'bystander')
  }

  function problem(provider: string): string | null {
    const last = recent(provider).findLast(({ outcome }) => outcome !== 'cancelled' && outcome !== 'budget')
    return last === undefined || !isFailure(last.outcome) ? null : (last.problem ?? null)
  }

  return {
    problem,
    admit: (provider, isOnly = false) => {
      const now = clock()
      const state = stateOf(providers.get(provider)?.breaker ?? closedBreaker, now)
      if (isOnly && state.kind !== 'closed') return admission(provider, 'probe')
      switch (state.kind) {
        case 'closed':
          return admission(provider, 'bystander')
        case 'open':
          return { kind: 'resting', waitMs: state.until - now }
        case 'half-open':
          if (state.probing) return { kind: 'resting', waitMs: PROBE_WAIT_MS }
          change(provider, (breaker) => withProbe(breaker, now))
          return admission(provider, 'probe')
      }
    },
    record,
    seed: (calls) => {
      const now = clock()
      const due = calls.filter(({ at }) => at <= now && now - at < WINDOW_MS)
      for (const call of due.toSorted((one, other) => one.at - other.at)) record(call)
    },
    view: (provider) => {
      const state = stateOf(providers.get(provider)?.breaker ?? closedBreaker, clock())
      return {
        ...latencyOf(recent(provider)),
        breaker: state.kind,
        opensAgainAt: state.kind === 'open' ? new Date(state.until).toISOString() : null,
      }
    },
    latency: (ref) => {
      const { provider, model } = partsOf(ref)
      return latencyOf(recent(provider, model))
    },
    forget: (provider) => {
      providers.delete(provider)
    },
  }
}

function latencyOf(calls: readonly CallRecord[]): Latency {
  return {
    calls: calls.length,
    failures: calls.filter(({ outcome }) => isFailure(outcome)).length,
    medianMs: medianOf(calls.flatMap(({ firstTokenMs }) => firstTokenMs ?? [])),
  }
}

/** Who stopped a call, or would not pay for it, tells nothing of the provider. */
function isFailure(outcome: SpentCall['outcome']): boolean {
  return outcome !== 'delivered' && outcome !== 'cancelled' && outcome !== 'budget'
}

function medianOf(values: readonly number[]): number | null {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.ceil(sorted.length / 2) - 1] ?? null
}
