/**
 * Owns the turn loop: model, calls, results, again, until the model replies without calls. Knows only ports; every
 * step that matters is recorded by the journal before the next begins, so the loop can start again from any of them.
 */
import type { ParkReason, Purpose, StopReason } from '@countersign/contract'
import { type Limits, longestReasoning } from './limits.ts'
import type { Meter, Shortage } from './meter.ts'
import type {
  CallReply,
  ModelChunk,
  ModelFailure,
  ModelMessage,
  ModelPort,
  ModelReply,
  ToolSpec,
} from './model-port.ts'
import { immediateRetry } from './retry.ts'
import { dropOldPictures } from './window.ts'

/** What people asked of the run since it last looked. */
export interface Control {
  readonly stop: boolean
  readonly pause: boolean
  /** Words of the operator to be heard before the next turn. */
  readonly steering: readonly string[]
}

export interface LoopState {
  readonly system: string
  readonly purpose: Purpose
  /** One model by its reference; left out, the route of the purpose decides. */
  readonly model?: string
  /** Left out, the provider's own. */
  readonly temperature?: number
  readonly tools: readonly ToolSpec[]
  readonly messages: readonly ModelMessage[]
  readonly turn: number
  readonly toolCalls: number
  readonly activeMs: number
  /** The same calls made in consecutive turns, so far. */
  readonly streak: Streak
  /** The last reply proposed calls that are not all settled. */
  readonly hasOpenCalls: boolean
  readonly control: Control
}

export type TurnResult =
  | {
      readonly kind: 'results'
      readonly replies: readonly CallReply[]
      readonly control: Control
      /** What the model is shown after them, such as pictures that they made. */
      readonly shown?: readonly ModelMessage[]
      /** All calls of the run so far, with those that its calls asked for; left out where there are no others. */
      readonly toolCalls?: number
    }
  | { readonly kind: 'parked'; readonly on: ParkReason }
  | { readonly kind: 'stopped' }

export interface LoopPorts {
  readonly model: ModelPort
  readonly meter: Meter
  readonly clock: () => number
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>
  /** Records that a try of a model failed, and when the next one is. */
  retrying(failed: FailedTry): Promise<void>
  /** Shows what streams; lossy by design. */
  show(shown: ShownChunk): void
  /**
   * Records the reply and the calls it proposes, and says how many of them count. A reply without calls ends the run in
   * the same transaction.
   */
  replied(turn: number, reply: ModelReply, spentMs: number): Promise<number>
  /** Brings every call of the turn to its end, or parks the run. */
  finishTurn(turn: number): Promise<TurnResult>
}

/** A try that another follows at once, while the run goes on. */
export interface FailedTry {
  readonly failure: ModelFailure
  readonly delayMs: number
  readonly attempt: number
  readonly of: number
  /** The model that is asked instead, where it is another. */
  readonly next?: string
}

/** A piece of a reply that is being written, or that what was shown of it no longer holds. */
export type ShownChunk = Extract<ModelChunk, { type: 'text' | 'reasoning' | 'call' | 'again' }>

export type SegmentEnd =
  | { readonly kind: 'completed' }
  | { readonly kind: 'parked'; readonly on: ParkReason }
  /** No model answers now; whether and when it is tried again is the caller's to say. */
  | { readonly kind: 'failing'; readonly failure: ModelFailure }
  /** A limit of money stands in the way of the next call. */
  | { readonly kind: 'short'; readonly shortage: Shortage }
  | { readonly kind: 'ended'; readonly reason: Exclude<StopReason, 'completed'>; readonly message: string }

export async function runTurns(
  start: LoopState,
  ports: LoopPorts,
  limits: Limits,
  signal: AbortSignal,
): Promise<SegmentEnd> {
  const messages = [...start.messages]
  let { turn, toolCalls, activeMs, streak, hasOpenCalls, control } = start
  for (;;) {
    if (hasOpenCalls) {
      const settled = await ports.finishTurn(turn)
      if (settled.kind === 'parked') return settled
      if (settled.kind === 'stopped') return stopped
      toolCalls = settled.toolCalls ?? toolCalls
      const results = withWhatIsLeft(settled.replies, { turn, toolCalls }, limits)
      messages.push({ role: 'tool', results }, ...(settled.shown ?? []))
      dropOldPictures(messages)
      control = settled.control
      hasOpenCalls = false
    }
    if (control.stop) return stopped
    if (control.pause) return { kind: 'parked', on: 'paused' }
    for (const text of control.steering) messages.push({ role: 'user', text })

    const exceeded = limitExceeded({ turn, toolCalls, activeMs, streak }, limits)
    if (exceeded) return { kind: 'ended', reason: 'limit', message: exceeded }

    turn += 1
    const before = ports.clock()
    const answer = await callModel({ ...start, messages }, ports, limits, signal)
    if (answer.kind === 'failed') return failureEnd(answer.failure, signal)
    const spent = ports.clock() - before
    activeMs += spent
    if (isNothing(answer.reply) && toolCalls === 0) return emptyReply
    toolCalls += await ports.replied(turn, answer.reply, spent)
    if (answer.reply.calls.length === 0) return { kind: 'completed' }

    messages.push({ role: 'assistant', text: answer.reply.text, calls: answer.reply.calls })
    streak = nextStreak(streak, answer.reply)
    hasOpenCalls = true
  }
}

/**
 * Tells the model how far the run is once little is left, so that it can come to an end by itself. Behind the results and
 * not in the system's text: a beginning that changes with each turn would be paid for in full each time.
 */
function withWhatIsLeft(
  replies: readonly CallReply[],
  used: Pick<LoopState, 'turn' | 'toolCalls'>,
  limits: Limits,
): readonly CallReply[] {
  const last = replies.at(-1)
  const isNear = limits.turns - used.turn <= fewTurns || limits.toolCalls - used.toolCalls <= fewCalls
  if (!last || !isNear) return replies
  const left = `[Turn ${used.turn} of ${limits.turns}, call ${used.toolCalls} of ${limits.toolCalls} of this run.]`
  return [...replies.slice(0, -1), { ...last, text: `${last.text}\n${left}` }]
}

const fewTurns = 3
const fewCalls = 10

export interface Streak {
  readonly calls: string
  readonly length: number
}

export const noStreak: Streak = { calls: '', length: 0 }

/** Ten pages of one site are work; the same page five times is a circle. */
export function nextStreak(streak: Streak, { calls: made }: Pick<ModelReply, 'calls'>): Streak {
  if (made.length === 0) return noStreak
  const calls = JSON.stringify(made.map(({ name, args }) => [name, args]))
  return { calls, length: calls === streak.calls ? streak.length + 1 : 1 }
}

const emptyReply: SegmentEnd = { kind: 'ended', reason: 'error', message: 'The model sent an empty reply.' }

/** Neither words nor calls: whoever asked was not answered. */
function isNothing({ text, calls }: ModelReply): boolean {
  return calls.length === 0 && text.trim() === ''
}

const stopped: SegmentEnd = { kind: 'ended', reason: 'manual', message: 'Stopped by the operator.' }

type ModelOutcome = { kind: 'reply'; reply: ModelReply } | { kind: 'failed'; failure: ModelFailure }

/** What of the state a model is asked with. */
type ModelInput = Pick<LoopState, 'system' | 'purpose' | 'model' | 'temperature' | 'tools' | 'messages'>

async function callModel(
  state: ModelInput,
  ports: LoopPorts,
  limits: Limits,
  signal: AbortSignal,
): Promise<ModelOutcome> {
  for (let attempt = 0; ; attempt += 1) {
    const answer = await streamOnce(state, ports, limits, signal)
    if (answer.kind === 'reply') return answer
    const delayMs = immediateRetry(answer.failure, attempt, limits)
    if (delayMs === undefined) return answer
    ports.show({ type: 'again', failure: answer.failure, next: '' })
    await ports.retrying({
      failure: answer.failure,
      delayMs,
      attempt: attempt + 1,
      of: limits.modelRetries,
    })
    await ports.wait(delayMs, signal)
    if (signal.aborted) return { kind: 'failed', failure: cancelled }
  }
}

const cancelled: ModelFailure = { kind: 'cancelled', message: 'The model call was cancelled.' }

async function streamOnce(
  state: ModelInput,
  ports: LoopPorts,
  limits: Limits,
  signal: AbortSignal,
): Promise<ModelOutcome> {
  const request = {
    purpose: state.purpose,
    ...(state.model === undefined ? {} : { model: state.model }),
    system: state.system,
    messages: state.messages,
    tools: state.tools,
    maxOutputTokens: limits.maxOutputTokens,
    ...(state.temperature === undefined ? {} : { temperature: state.temperature }),
  }
  let reasoning = ''
  for await (const chunk of ports.model.stream(request, signal, ports.meter)) {
    if (chunk.type === 'end')
      return { kind: 'reply', reply: reasoning === '' ? chunk.reply : { ...chunk.reply, reasoning } }
    if (chunk.type === 'again') reasoning = ''
    if (chunk.type === 'reasoning')
      reasoning = `${reasoning}${chunk.text}`.slice(0, longestReasoning).toWellFormed()
    if (chunk.type === 'failed') return { kind: 'failed', failure: chunk.failure }
    ports.show(chunk)
    if (chunk.type === 'again')
      await ports.retrying({ failure: chunk.failure, delayMs: 0, attempt: 1, of: 1, next: chunk.next })
  }
  return { kind: 'failed', failure: { kind: 'truncated', message: 'The model ended without a reply.' } }
}

function failureEnd(failure: ModelFailure, signal: AbortSignal): SegmentEnd {
  if (failure.kind === 'cancelled')
    return signal.reason === 'pause' ? { kind: 'parked', on: 'paused' } : stopped
  if (failure.kind === 'budget' && failure.shortage) return { kind: 'short', shortage: failure.shortage }
  return { kind: 'failing', failure }
}

function limitExceeded(
  used: Pick<LoopState, 'turn' | 'toolCalls' | 'activeMs' | 'streak'>,
  limits: Limits,
): string | undefined {
  if (used.turn >= limits.turns) return `It reached its limit of ${limits.turns} turns.`
  if (used.toolCalls >= limits.toolCalls) return `It reached its limit of ${limits.toolCalls} tool calls.`
  if (used.activeMs >= limits.activeMs)
    return `It reached its limit of ${limits.activeMs / 60_000} minutes of work.`
  if (used.streak.length >= limits.sameCallsInARow)
    return `It did the same thing ${used.streak.length} turns in a row, which is the limit.`
  return undefined
}
