/** Owns what is live of a run: where it stands, what it did so far and what went wrong in it. */
import type { GatewayEvent } from '../events.ts'
import type { RunId, SessionId } from '../ids.ts'
import { type Draft, keepHighest } from './draft.ts'
import { appendBounded, beginningOf } from './shorten.ts'
import { liveBounds, type RunLive } from './state.ts'

type Body = GatewayEvent['body']
type Of<Type extends Body['type']> = Extract<Body, { type: Type }>

const wentWrong: readonly string[] = ['failed', 'refused', 'unknown', 'invalid']

/** Brings the runs to where they stand after an event. */
export function changeRuns(draft: Draft, event: GatewayEvent): void {
  const { body } = event
  switch (body.type) {
    case 'run.started':
      return set(draft, event, body, (run) => ({ ...run, input: body.input, state: 'running' }))
    case 'run.parked':
      return set(draft, event, body, (run) => ({
        ...waited(run, event.at),
        state: 'parked',
        parkedOn: body.on,
        parkedAt: event.at,
        retry: body.retry ?? null,
        callsWaiting: body.waiting ?? 0,
      }))
    case 'run.retrying':
      return set(draft, event, body, (run) => ({ ...run, retry: body.retry }))
    case 'run.resumed':
      // Why it waited is told until a reply says that it is over.
      return set(draft, event, body, (run) => ({
        ...waited(run, event.at),
        state: 'running',
        retry: run.retry,
      }))
    case 'run.ended':
      return set(draft, event, body, (run) => ({
        ...waited(run, event.at),
        state: 'stopped',
        input: body.input,
        reason: body.reason,
        message: beginningOf(body.message, liveBounds.runText).text,
        endedAt: event.at,
      }))
    case 'turn.replied':
      return set(draft, event, body, (run) => ({
        ...run,
        retry: null,
        turns: run.turns + 1,
        text: body.text === '' ? run.text : beginningOf(body.text, liveBounds.runText).text,
      }))
    case 'call.decided':
      return set(draft, event, body, (run) => ({
        ...run,
        tier: run.tier === null || body.decision.tier > run.tier ? body.decision.tier : run.tier,
      }))
    case 'call.ended':
      return set(draft, event, body, (run) => afterCall(run, body))
    case 'approval.decided':
      return set(draft, event, body, (run) => ({
        ...run,
        expired: run.expired + (body.state === 'expired' ? 1 : 0),
        denied: run.denied + (body.state === 'denied' ? 1 : 0),
      }))
    default:
      return
  }
}

function set(
  { runs }: Draft,
  event: GatewayEvent,
  about: { readonly type: string; readonly session: SessionId; readonly run: RunId },
  change: (run: RunLive) => RunLive,
): void {
  const before = runs.get(about.run)
  // What happens in a run that is no longer kept does not bring it back: it would seem to run for ever.
  if (!before && !about.type.startsWith('run.')) return
  const run = { ...change(before ?? fresh(event, about)), seq: event.seq }
  runs.set(about.run, run)
  if (before?.state === run.state) return
  const ended = run.state === 'stopped'
  keepHighest(
    runs.values().filter((each) => (each.state === 'stopped') === ended),
    ended ? liveBounds.endedRuns : liveBounds.openRuns,
    ({ seq }) => seq,
    ({ id }) => runs.remove(id),
  )
}

function fresh(event: GatewayEvent, { session, run }: { session: SessionId; run: RunId }): RunLive {
  return {
    id: run,
    session,
    input: null,
    state: 'running',
    parkedOn: null,
    parkedAt: null,
    retry: null,
    callsWaiting: 0,
    reason: null,
    message: '',
    startedAt: event.at,
    endedAt: null,
    waitedMs: 0,
    turns: 0,
    calls: 0,
    tier: null,
    failing: [],
    expired: 0,
    denied: 0,
    undoable: 0,
    text: '',
    startedSeq: event.seq,
    seq: event.seq,
  }
}

/** It no longer stands still. */
function waited(run: RunLive, at: string): RunLive {
  const ms = run.parkedAt === null ? 0 : Date.parse(at) - Date.parse(run.parkedAt)
  const waitedMs = run.waitedMs + (Number.isFinite(ms) ? Math.max(0, ms) : 0)
  return { ...run, parkedOn: null, parkedAt: null, retry: null, callsWaiting: 0, waitedMs }
}

function afterCall(run: RunLive, body: Of<'call.ended'>): RunLive {
  const { tool, outcome } = body
  const others = run.failing.filter((each) => each !== tool)
  const failing = wentWrong.includes(outcome)
    ? appendBounded(others, tool, liveBounds.failing)
    : outcome === 'ok'
      ? others
      : run.failing
  return {
    ...run,
    calls: run.calls + 1,
    failing: failing.length === run.failing.length && outcome === 'ok' ? run.failing : failing,
    undoable: run.undoable + (body.undoable ? 1 : 0),
  }
}
