/** Owns what is asked of the live state: what waits and in which order, and the word for where a run stands. */
import type { ApprovalView } from '../card.ts'
import type { RunId, SessionId } from '../ids.ts'
import type { LiveState, MessageItem, QuestionLive, RunLive } from './state.ts'

export const runWords = [
  'queued',
  'running',
  'waiting for you',
  'waiting for the provider',
  'blocked',
  'done',
  'done with problems',
  'failed',
  'stopped by you',
  'over budget',
] as const
export type RunWord = (typeof runWords)[number]

/**
 * What waits for a decision: first what a conversation stands still for, then what lapses soonest, then the higher
 * tier, then the older.
 */
export function pendingInOrder(state: LiveState): ApprovalView[] {
  const blocks = new Map<string, boolean>()
  for (const each of Object.values(state.approvals)) {
    blocks.set(each.id, isBlocking(state, each.run))
  }
  return Object.values(state.approvals).toSorted(
    (a, b) =>
      Number(blocks.get(b.id)) - Number(blocks.get(a.id)) ||
      compare(a.expiresAt, b.expiresAt) ||
      b.card.tier - a.card.tier ||
      compare(a.id, b.id),
  )
}

/** Oldest first. */
export function openQuestions(state: LiveState): QuestionLive[] {
  return Object.values(state.questions).toSorted((a, b) => compare(a.at, b.at) || compare(a.id, b.id))
}

/** The runs that have not ended, newest first. */
export function openRuns(state: LiveState): RunLive[] {
  return Object.values(state.runs)
    .filter((run) => run.state !== 'stopped')
    .toSorted((a, b) => b.startedSeq - a.startedSeq)
}

/** Calls of all runs that wait for their turn to be asked about: one number instead of many rows. */
export function callsWaiting(state: LiveState): number {
  return openRuns(state).reduce((sum, run) => sum + run.callsWaiting, 0)
}

/** The runs that are kept, those touched last first. */
export function recentRuns(state: LiveState): RunLive[] {
  return Object.values(state.runs).toSorted((a, b) => b.seq - a.seq)
}

/** Messages that wait for the run before them. */
export function queuedIn(state: LiveState, session: SessionId): MessageItem[] {
  const items = state.threads[session]?.items ?? []
  return items.filter((item): item is MessageItem => item.kind === 'message' && item.run === null)
}

/** `Done` is only said where nothing that went wrong was left so. */
export function runStatus(state: LiveState, run: RunLive): RunWord {
  switch (run.state) {
    case 'queued':
      return 'queued'
    case 'running':
      return 'running'
    case 'parked':
      return parkedWord(state, run)
    case 'stopped':
      if ((run.reason ?? 'completed') === 'completed' && run.expired > 0) return 'blocked'
      return endedWord(run.reason, run.failing.length > 0)
  }
}

/** The word for a whole conversation: of its newest run, or of the message that waits. Null where nothing ran. */
export function threadStatus(state: LiveState, session: SessionId): RunWord | null {
  const newest = state.threads[session]?.run
  const run = newest ? state.runs[newest] : undefined
  if (run && run.state !== 'stopped') return runStatus(state, run)
  if (queuedIn(state, session).length > 0) return 'queued'
  return run ? runStatus(state, run) : null
}

/** How long the run itself worked: while it waits for a person or for a model, nothing is added. */
export function ownMs(run: RunLive, now: Date): number {
  const end = run.endedAt ?? run.parkedAt ?? now.toISOString()
  return Math.max(0, Date.parse(end) - Date.parse(run.startedAt) - run.waitedMs)
}

function parkedWord(state: LiveState, run: RunLive): RunWord {
  if (waitsForPerson(state, run.id)) return 'waiting for you'
  if (run.parkedOn === 'paused' || state.paused !== null) return 'blocked'
  if (run.parkedOn === 'retry') return 'waiting for the provider'
  if (run.parkedOn === 'inbox') return 'waiting for you'
  // It is about to go on.
  return 'running'
}

function isBlocking(state: LiveState, id: RunId): boolean {
  const run = state.runs[id]
  return run?.state === 'parked' && run.parkedOn !== 'paused' && state.threads[run.session]?.run === id
}

function waitsForPerson(state: LiveState, run: RunId): boolean {
  return (
    Object.values(state.approvals).some((each) => each.run === run) ||
    Object.values(state.questions).some((each) => each.run === run)
  )
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** The word for how a run ended. */
export function endedWord(reason: RunLive['reason'], hasProblems: boolean): RunWord {
  switch (reason) {
    case 'error':
      return 'failed'
    case 'manual':
    case 'denied':
      return 'stopped by you'
    case 'limit':
    case 'budget':
      return 'over budget'
    case 'completed':
    case null:
      return hasProblems ? 'done with problems' : 'done'
  }
}
