/**
 * Owns one call to one provider with the money it takes: set aside before, settled once after, whatever became of it.
 * Refuses to call where nothing could be set aside.
 */
import {
  type Meter,
  type ModelChunk,
  type ModelFailure,
  type ModelRequest,
  type PlannedCall,
  type Reservation,
  type SpentCall,
  usualTemperature,
} from '@countersign/agent'
import { fitHistory } from '../calls/fit-history.ts'
import type { OneModel } from '../calls/one-model.ts'
import type { ModelFacts } from '../catalogue/facts.ts'
import type { CallObserver, ObservedCall } from '../observe/observer.ts'
import type { ModelConfig } from '../providers/config.ts'
import type { Candidate } from './candidate.ts'
import type { CallRecord } from './health.ts'
import { withoutPictures, withoutTools } from './plain.ts'
import { type CallPrices, createTally, type ModelCallEnd, type Tally } from './tally.ts'

export interface CallPorts {
  open(config: ModelConfig): OneModel
  readonly prices: CallPrices
  readonly observers: readonly CallObserver[]
  /** Milliseconds, for durations. */
  readonly clock: () => number
  readonly now: () => Date
  /** Something that the call survived and somebody should look into. */
  onProblem(sentence: string, cause: unknown): void
}

export interface CallOrder {
  readonly candidate: Candidate
  readonly request: ModelRequest
  readonly signal: AbortSignal
  readonly meter: Meter
  /** Told once, when a call was made. */
  ended(call: CallRecord): void
}

/** `last`: nothing further is to be tried. */
export type RoutedCallEnd = ModelCallEnd | { readonly kind: 'last'; readonly failure: ModelFailure }

export type PassingChunk = Exclude<ModelChunk, { type: 'end' | 'failed' | 'again' }>

export const cancelled: ModelFailure = { kind: 'cancelled', message: 'The model call was cancelled.' }

export async function* callOnce(
  order: CallOrder,
  ports: CallPorts,
): AsyncGenerator<PassingChunk, RoutedCallEnd> {
  const { candidate, signal } = order
  const request = fitted(order.request, candidate.facts)
  const planned: PlannedCall = {
    provider: candidate.provider.name,
    model: candidate.model,
    purpose: request.purpose,
    worstNanos: ports.prices.worst(candidate.facts, request),
  }
  const reservation = await reserve(order.meter, planned, ports)
  if (reservation.kind !== 'reserved') return { kind: 'last', failure: refusalOf(reservation) }

  const tally = createTally(request, ports.prices, ports.clock)
  let observed: ObservedCall | undefined
  // It stays at this when the reader of the chunks goes away.
  let ending: ModelCallEnd = { kind: 'failed', failure: cancelled }
  try {
    if (signal.aborted) return ending
    observed = {
      id: reservation.id,
      provider: candidate.provider.name,
      kind: candidate.provider.kind,
      model: candidate.model,
      request,
      startedAt: ports.now(),
      ...(order.meter.run === undefined ? {} : { run: order.meter.run }),
    }
    tally.sent()
    show(observed, ports, (observer, call) => observer.began(call))
    for await (const chunk of safely({ ...order, request }, reservation.id, tally, ports)) {
      tally.saw(chunk)
      if (chunk.type === 'end') {
        ending = { kind: 'delivered', reply: chunk.reply }
        break
      }
      if (chunk.type === 'failed') {
        ending = { kind: 'failed', failure: chunk.failure }
        break
      }
      if (chunk.type !== 'again') yield chunk
    }
  } finally {
    const spent = await spentOn(tally, ending, order, planned, ports)
    if (observed) order.ended(recordOf(planned, spent, ending, ports.now()))
    await settle(order.meter, reservation.id, spent, ports)
    if (observed) {
      const end = {
        spent,
        ...(ending.kind === 'delivered' ? { reply: ending.reply } : { problem: ending.failure.message }),
      }
      show(observed, ports, (observer, call) => observer.ended(call, end))
    }
  }
  return ending
}

/**
 * A model that holds less than the conversation, allows less output, no tools, or no pictures, would refuse the whole
 * request. One that
 * reasons has a temperature of its own, which only the operator's choice replaces.
 */
function fitted(request: ModelRequest, { output, context, capabilities }: ModelFacts): ModelRequest {
  // Half of the whole is left for the request.
  const half = context === null ? request.maxOutputTokens : Math.ceil(context / 2)
  const maxOutputTokens = Math.min(request.maxOutputTokens, half, output ?? half)
  const plain = request.tools.length > 0 && !capabilities.includes('tools') ? withoutTools(request) : request
  const told = capabilities.includes('vision') ? plain : withoutPictures(plain)
  const { temperature, ...rest } = told
  const isOwn = temperature === usualTemperature && capabilities.includes('reasoning')
  return fitHistory(
    { ...rest, maxOutputTokens, ...(temperature === undefined || isOwn ? {} : { temperature }) },
    context,
  )
}

/** Holds a model to its promise: it never throws, and it says how it ended. */
async function* safely(
  order: CallOrder,
  requestId: string,
  tally: Tally,
  ports: CallPorts,
): AsyncGenerator<ModelChunk> {
  const { candidate, request, signal } = order
  try {
    const model = ports.open({ ...candidate.provider, model: candidate.model, requestId })
    yield* model.stream(request, signal, tally.heard)
    yield failed({ kind: 'truncated', message: 'The model ended without a reply.' })
  } catch (error) {
    ports.onProblem(`The call to ${candidate.ref} threw.`, error)
    yield failed(
      signal.aborted
        ? cancelled
        : { kind: 'unknown', message: `The call to ${candidate.ref} was interrupted.` },
    )
  }
}

type ReservationResult = Reservation | { readonly kind: 'away' }

async function reserve(meter: Meter, planned: PlannedCall, ports: CallPorts): Promise<ReservationResult> {
  try {
    return await meter.reserve(planned)
  } catch (error) {
    ports.onProblem('No budget could be reserved for a model call.', error)
    return { kind: 'away' }
  }
}

function refusalOf(reservation: Exclude<ReservationResult, { kind: 'reserved' }>): ModelFailure {
  if (reservation.kind === 'refused') {
    const { shortage } = reservation
    return { kind: 'budget', message: shortage.message, shortage }
  }
  return {
    kind: 'unavailable',
    message: 'The budget could not be reserved, so no model was called.',
  }
}

/** What could not be worked out counts as the worst that it can have been. */
async function spentOn(
  tally: Tally,
  ending: ModelCallEnd,
  { candidate }: CallOrder,
  planned: PlannedCall,
  ports: CallPorts,
): Promise<SpentCall> {
  try {
    return await tally.spent(ending, candidate)
  } catch (error) {
    ports.onProblem(`The usage of the call to ${candidate.ref} could not be computed.`, error)
    return {
      outcome: ending.kind === 'delivered' ? 'delivered' : ending.failure.kind,
      usage: { input: 0, output: 0, cached: 0, reasoning: 0 },
      estimated: true,
      costNanos: planned.worstNanos,
      firstTokenMs: null,
      totalMs: 0,
    }
  }
}

async function settle(meter: Meter, id: string, spent: SpentCall, ports: CallPorts): Promise<void> {
  try {
    await meter.settle(id, spent)
  } catch (error) {
    ports.onProblem(`The call ${id} could not be settled.`, error)
  }
}

function recordOf(planned: PlannedCall, spent: SpentCall, ending: ModelCallEnd, at: Date): CallRecord {
  const retryAfterMs = ending.kind === 'failed' ? ending.failure.retryAfterMs : undefined
  return {
    provider: planned.provider,
    model: planned.model,
    at: at.getTime(),
    outcome: spent.outcome,
    firstTokenMs: spent.firstTokenMs,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(ending.kind === 'failed' ? { problem: ending.failure.message } : {}),
  }
}

function show(
  call: ObservedCall,
  ports: CallPorts,
  tell: (observer: CallObserver, call: ObservedCall) => void,
): void {
  for (const observer of ports.observers) {
    try {
      tell(observer, call)
    } catch (error) {
      ports.onProblem(`An observer of the call ${call.id} threw.`, error)
    }
  }
}

function failed(failure: ModelFailure): ModelChunk {
  return { type: 'failed', failure }
}
