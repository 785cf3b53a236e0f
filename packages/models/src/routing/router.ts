/**
 * The model port over many models: chooses, orders, calls, and goes on to the next when one fails. Asks each candidate
 * at most once, never one whose provider is left alone, and never without money set aside.
 */
import type { Meter, ModelChunk, ModelFailure, ModelPort, ModelRequest } from '@countersign/agent'
import type { Purpose } from '@countersign/contract'
import type { ModelFacts } from '../catalogue/facts.ts'
import type { ProviderConfig } from '../providers/config.ts'
import { type Candidate, chooseCandidates, type RoutingRequest } from './candidate.ts'
import { type FailedAttempt, failureOfAll, mayFailOver } from './failover.ts'
import type { Health } from './health.ts'
import { type CallPorts, callOnce, cancelled } from './metered-call.ts'
import { needsOf, type RequestNeeds, usualNeeds } from './needs.ts'
import { orderCandidates } from './order.ts'
import type { RouterSettings } from './settings.ts'

export interface RouterOptions extends CallPorts {
  /** With the state of the operator's settings, where whoever asks has just seen it. */
  settings(state?: string): Promise<RouterSettings>
  facts(provider: ProviderConfig, model: string): ModelFacts
  /** The catalogue of a provider, for a route that names no model. */
  models(provider: ProviderConfig): readonly string[]
  readonly health: Health
}

export interface Router extends ModelPort {
  /** The models that a call would try, the first one first. Without needs: those of a usual request. */
  candidates(purpose: Purpose, needs?: Partial<RequestNeeds>): Promise<Candidates>
  /** The one that the next call would take, or why there is none. */
  next(purpose: Purpose, needs?: Partial<RequestNeeds>): Promise<NextModel>
}

export type Candidates =
  | { readonly kind: 'found'; readonly candidates: readonly Candidate[] }
  | { readonly kind: 'none'; readonly failure: ModelFailure }

export interface NextModel {
  readonly next: string | null
  readonly problem: string | null
  /** Without a next one: the first that is left alone for a while after failures. */
  readonly resting?: string
}

/** Of models that nobody named: so many that one provider's trouble does not use the list up. */
const MOST_OF_ONE_PROVIDER = 4
const MOST_CANDIDATES = 20

export function createRouter(options: RouterOptions): Router {
  async function find(asked: RoutingRequest, state?: string): Promise<Candidates> {
    const choice = chooseCandidates(asked, await options.settings(state), options)
    if (choice.kind === 'none') return choice
    // Whoever holds all of the conversation comes before those who are shown only its end.
    const ordered = orderCandidates(choice.strategy, choice.candidates, options.health).toSorted(
      (one, other) => Number(one.cut) - Number(other.cut),
    )
    return { kind: 'found', candidates: choice.named ? ordered : foremost(ordered) }
  }

  function candidates(purpose: Purpose, needs?: Partial<RequestNeeds>): Promise<Candidates> {
    return find({ purpose, needs: { ...usualNeeds(purpose), ...needs } })
  }

  return {
    stream: (request, signal, meter) => streamAny(request, signal, meter, find, options),
    async takesPictures({ purpose, model }) {
      const usual = usualNeeds(purpose)
      const needs = { ...usual, capabilities: [...usual.capabilities, 'vision' as const] }
      const found = await find({ purpose, model, needs })
      return (
        found.kind === 'found' && found.candidates.some(({ facts }) => facts.capabilities.includes('vision'))
      )
    },
    candidates,
    next: async (purpose, needs) => {
      const found = await candidates(purpose, needs)
      if (found.kind === 'none') return { next: null, problem: found.failure.message }
      const [only] = found.candidates
      if (only && isOneProvider(found.candidates)) return { next: only.ref, problem: null }
      const resting: FailedAttempt[] = []
      for (const { ref, provider } of found.candidates) {
        const { opensAgainAt } = options.health.view(provider.name)
        if (opensAgainAt === null) return { next: ref, problem: null }
        const waitMs = Math.max(0, Date.parse(opensAgainAt) - options.now().getTime())
        resting.push({
          ref,
          failure: leftAlone(provider.name, waitMs, options.health.problem(provider.name)),
        })
      }
      const [first] = resting
      return { next: null, problem: failureOfAll(resting).message, ...(first ? { resting: first.ref } : {}) }
    },
  }
}

type Find = (asked: RoutingRequest, state?: string) => Promise<Candidates>

async function* streamAny(
  request: ModelRequest,
  signal: AbortSignal,
  meter: Meter,
  find: Find,
  options: RouterOptions,
): AsyncGenerator<ModelChunk> {
  if (signal.aborted) {
    yield failed(cancelled)
    return
  }
  let last: ModelChunk
  try {
    const asked = { purpose: request.purpose, model: request.model, needs: needsOf(request) }
    const found = await find(asked, meter.settingsSeen?.())
    last =
      found.kind === 'none'
        ? failed(found.failure)
        : yield* tryEach(found.candidates, request, signal, meter, options)
  } catch (error) {
    options.onProblem('No model could be chosen.', error)
    last = failed({
      kind: 'unavailable',
      message: 'The settings of the models could not be read, so no model was called. See the log.',
    })
  }
  yield last
}

/** Returns the last chunk. */
async function* tryEach(
  candidates: readonly Candidate[],
  request: ModelRequest,
  signal: AbortSignal,
  meter: Meter,
  options: RouterOptions,
): AsyncGenerator<ModelChunk, ModelChunk> {
  const attempts: FailedAttempt[] = []
  let before: ModelFailure | undefined
  const isOnly = isOneProvider(candidates)
  for (const candidate of candidates) {
    const { ref, provider } = candidate
    const admission = options.health.admit(provider.name, isOnly)
    if (admission.kind === 'resting') {
      attempts.push({
        ref,
        failure: leftAlone(provider.name, admission.waitMs, options.health.problem(provider.name)),
      })
      continue
    }
    try {
      if (before) yield { type: 'again', failure: before, next: ref }
      if (signal.aborted) return failed(cancelled)
      const end = yield* callOnce({ candidate, request, signal, meter, ended: admission.leave }, options)
      if (end.kind === 'delivered') return { type: 'end', reply: end.reply }
      const failure = { ...end.failure, provider: provider.name, model: ref }
      if (end.kind === 'last' || failure.kind === 'cancelled') return failed(failure)
      if (signal.aborted) return failed(cancelled)
      attempts.push({ ref, failure })
      if (!mayFailOver(failure)) break
      before = failure
    } finally {
      admission.leave()
    }
  }
  return failed(failureOfAll(attempts))
}

function foremost(ordered: readonly Candidate[]): readonly Candidate[] {
  const taken = new Map<string, number>()
  return ordered
    .filter(({ provider }) => {
      const count = (taken.get(provider.name) ?? 0) + 1
      taken.set(provider.name, count)
      return count <= MOST_OF_ONE_PROVIDER
    })
    .slice(0, MOST_CANDIDATES)
}

function isOneProvider(candidates: readonly Candidate[]): boolean {
  return new Set(candidates.map(({ provider }) => provider.name)).size === 1
}

/** Says what went wrong before it says that nothing is asked for a while. */
function leftAlone(provider: string, waitMs: number, problem: string | null): ModelFailure {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000))
  const paused = `The provider ${provider} failed before and is paused for another ${seconds} s.`
  return {
    kind: 'unavailable',
    message: problem === null ? paused : `${problem} ${paused}`,
    provider,
    retryAfterMs: waitMs,
  }
}

function failed(failure: ModelFailure): ModelChunk {
  return { type: 'failed', failure }
}
