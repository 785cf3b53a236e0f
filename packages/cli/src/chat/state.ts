/**
 * The state of a conversation as a pure reducer over frames: what waits, what runs, what was streamed. The same events
 * give the same state, whether they came live or after a reconnect.
 */
import {
  type ApprovalId,
  type ApprovalView,
  type CallId,
  type GatewayEvent,
  type InputId,
  type QuestionId,
  type QuestionView,
  type RunId,
  type RunView,
  reminderWords,
  type ServerFrame,
  type ServerQuestion,
  type SessionId,
  type StopReason,
  standingWords,
  type Tier,
} from '@countersign/contract'
import type { Activity } from './activity.ts'
import { failedTryWords, type Retry } from './retry.ts'
import { isSpending, type SpendingBody, spendingWords } from './spending.ts'

export type PendingItem =
  | { readonly kind: 'approval'; readonly approval: ApprovalView }
  | {
      readonly kind: 'question'
      readonly id: QuestionId
      readonly run: RunId
      readonly text: string
      readonly choices: readonly string[]
      /** It is a server that asks. */
      readonly server?: ServerQuestion
    }

export type RunProgress =
  | { readonly kind: 'working' }
  /** `retry` is known where the event was seen. */
  | { readonly kind: 'parked'; readonly on: string; readonly retry: Retry | null }
  | { readonly kind: 'ended'; readonly reason: StopReason; readonly message: string }

export interface StreamedReply {
  readonly run: RunId
  readonly turn: number
  readonly attempt: number
  readonly text: string
}

export type ChatActivity =
  | { readonly kind: 'thinking' }
  | { readonly kind: 'calling'; readonly tool: string; readonly characters: number }

export interface ChatState {
  /** Null until the first message made one. */
  readonly session: SessionId | null
  readonly paused: boolean
  /** Own messages whose event is still to come. */
  readonly echoes: readonly string[]
  /** The last own message and the run that answers it. */
  readonly own: { readonly input: InputId | null; readonly run: RunId | null }
  readonly lastRun: RunId | null
  readonly runs: Readonly<Record<string, RunProgress>>
  readonly replies: Readonly<Record<string, string>>
  readonly waiting: readonly PendingItem[]
  readonly tiers: Readonly<Record<string, Tier>>
  /** What was shown of a reply that is not whole yet. */
  readonly streamed: StreamedReply | null
  /** What the model is at while it writes nothing that is shown. */
  readonly doing: ChatActivity | null
  /** Whether the stream of this run has been seen from the beginning of its turn. */
  readonly live: RunId | null
  /** Events that came before the session was known. */
  readonly held: readonly GatewayEvent[]
}

/** What a person should be told. Cards and questions are not among it: they are shown from `waiting`. */
export type ChatOutput =
  | { readonly kind: 'piece'; readonly text: string }
  | { readonly kind: 'reply-ended' }
  /** What was shown of the reply no longer holds. */
  | { readonly kind: 'withdrawn' }
  | { readonly kind: 'retry'; readonly retry: Retry | null }
  | { readonly kind: 'activity'; readonly activity: Activity }
  | { readonly kind: 'verdict'; readonly approval: ApprovalId; readonly text: string }
  | { readonly kind: 'elsewhere'; readonly text: string }
  | { readonly kind: 'notice'; readonly text: string }
  | { readonly kind: 'warning'; readonly text: string }

export interface ChatStep {
  readonly state: ChatState
  readonly shows: readonly ChatOutput[]
}

export interface ChatSnapshot {
  readonly runs: readonly RunView[]
  readonly approvals: readonly ApprovalView[]
  readonly questions: readonly QuestionView[]
}

export function emptyState(session: SessionId | null, paused: boolean): ChatState {
  return {
    session,
    paused,
    echoes: [],
    own: { input: null, run: null },
    lastRun: null,
    runs: {},
    replies: {},
    waiting: [],
    tiers: {},
    streamed: null,
    doing: null,
    live: null,
    held: [],
  }
}

/** An own message is on its way. */
export function withSentMessage(state: ChatState, text: string): ChatState {
  return { ...state, echoes: [...state.echoes, text], own: { input: null, run: null } }
}

/** The connection is gone: the rest of a streamed reply will come whole. */
export function withLostConnection(state: ChatState): ChatState {
  return { ...state, live: null, doing: null }
}

/** Takes the present from a snapshot, where events are missing. */
export function withSnapshot(state: ChatState, snapshot: ChatSnapshot): ChatState {
  const runs = Object.fromEntries(snapshot.runs.map((run) => [run.id, progressOf(run)]))
  const answering = snapshot.runs.find((run) => run.input === state.own.input)
  const newest = snapshot.runs
    .map((run) => run.id)
    .toSorted()
    .at(-1)
  return {
    ...state,
    runs: { ...state.runs, ...runs },
    own: answering ? { ...state.own, run: answering.id } : state.own,
    lastRun: newest ?? state.lastRun,
    waiting: [
      ...snapshot.approvals.map((approval) => ({ kind: 'approval' as const, approval })),
      ...snapshot.questions.map(({ id, run, text, choices, server }) => ({
        kind: 'question' as const,
        id,
        run,
        text,
        choices,
        ...(server ? { server } : {}),
      })),
    ],
    streamed: null,
    doing: null,
    live: null,
  }
}

export function reduce(state: ChatState, frame: ServerFrame): ChatStep {
  switch (frame.type) {
    case 'event':
      return onEvent(state, frame.event)
    case 'delta':
      return onDelta(state, frame)
    case 'gap':
      return only(
        state,
        notice(`${frame.skipped} events were skipped; the session has the full conversation.`),
      )
    default:
      return { state, shows: [] }
  }
}

/** The session of the first message is known; what was held for it is taken up. */
export function bound(state: ChatState, session: SessionId): ChatStep {
  if (state.session !== null) return { state, shows: [] }
  let next: ChatState = { ...state, session, held: [] }
  const shows: ChatOutput[] = []
  for (const event of state.held) {
    const step = onEvent(next, event)
    next = step.state
    shows.push(...step.shows)
  }
  return { state: next, shows }
}

/** Nothing more will happen to the last own message until somebody does something. */
export function isSettled(state: ChatState): boolean {
  const { input, run } = state.own
  if (run !== null) return state.paused || isStill(progress(state, run))
  if (input === null) return false
  return state.paused || Object.values(state.runs).some((each) => each.kind === 'parked' && isStill(each))
}

/** The retry that the conversation waits for now; null inside where only the fact is known. */
export function awaitedRetry(state: ChatState): { readonly retry: Retry | null } | undefined {
  const run = activeRun(state)
  if (run === null) return undefined
  const now = progress(state, run)
  return now.kind === 'parked' && now.on === 'retry' ? { retry: now.retry } : undefined
}

/** The run in which something happens now. */
export function activeRun(state: ChatState): RunId | null {
  const id = state.lastRun
  return id !== null && progress(state, id).kind !== 'ended' ? id : null
}

export function progress(state: ChatState, run: RunId): RunProgress {
  return state.runs[run] ?? { kind: 'working' }
}

function onEvent(state: ChatState, event: GatewayEvent): ChatStep {
  const { body } = event
  if (body.type === 'system.paused')
    return only({ ...state, paused: true }, notice(`Everything was paused by ${body.by}.`))
  if (body.type === 'system.resumed')
    return only({ ...state, paused: false }, notice(`Resumed by ${body.by}.`))
  if (isSpending(body)) return only(state, spendingShow(body))
  if (body.type === 'notice') return only(state, notice(body.text))
  if (body.type === 'reminder.due') return only(state, notice(reminderWords(body)))
  if (isAside(body)) return { state, shows: [] }
  if (state.session === null) return { state: { ...state, held: [...state.held, event] }, shows: [] }
  if (body.session !== state.session) return { state, shows: [] }
  return inSession(state, body)
}

/** What a conversation does not speak of. */
type AsideBody = Extract<
  GatewayEvent['body'],
  {
    type:
      | 'grant.created'
      | 'grant.revoked'
      | 'policy.changed'
      | 'devices.changed'
      | 'schedules.changed'
      | 'channels.changed'
  }
>

const aside: ReadonlySet<GatewayEvent['body']['type']> = new Set<AsideBody['type']>([
  'grant.created',
  'grant.revoked',
  'policy.changed',
  'devices.changed',
  'schedules.changed',
  'channels.changed',
])

function isAside(body: GatewayEvent['body']): body is AsideBody {
  return aside.has(body.type)
}

type SessionBody = Exclude<
  GatewayEvent['body'],
  SpendingBody | AsideBody | { type: 'notice' | 'reminder.due' | 'system.paused' | 'system.resumed' }
>

function inSession(state: ChatState, body: SessionBody): ChatStep {
  switch (body.type) {
    case 'session.erased':
      return only(state, notice('Everything that was said here was erased.'))
    case 'input.admitted': {
      const at = state.echoes.indexOf(body.text)
      if (at === -1) return only(state, { kind: 'elsewhere', text: body.text })
      return quiet({
        ...state,
        echoes: state.echoes.toSpliced(at, 1),
        own: { input: body.input, run: body.run },
      })
    }
    case 'run.started': {
      const own = body.input === state.own.input ? { ...state.own, run: body.run } : state.own
      return quiet({
        ...marked(state, body.run, { kind: 'working' }),
        own,
        lastRun: body.run,
        live: body.run,
      })
    }
    case 'approval.extended':
    case 'approval.answered':
      return quiet(state)
    case 'run.resumed':
      return quiet({ ...marked(state, body.run, { kind: 'working' }), live: body.run })
    case 'run.parked':
      return onParked(state, body)
    case 'run.retrying':
      return progress(state, body.run).kind === 'parked'
        ? quiet(state)
        : only(state, notice(failedTryWords(body.retry)))
    case 'run.ended': {
      const waiting = state.waiting.filter((each) => runOf(each) !== body.run)
      const next = {
        ...marked(state, body.run, { kind: 'ended', reason: body.reason, message: body.message }),
        waiting,
        streamed: null,
        doing: null,
      }
      const words = endWords(body.reason, body.message)
      return words === '' ? quiet(next) : only(next, notice(words))
    }
    case 'turn.replied':
      return onReply(state, body)
    case 'call.decided':
      return quiet({ ...state, tiers: { ...state.tiers, [body.call]: body.decision.tier } })
    case 'call.ended':
      return only(
        { ...state, live: body.run, doing: null },
        activity(state, body, body.outcome, body.summary, body.undoable),
      )
    case 'approval.requested':
      return quiet({
        ...state,
        waiting: [...without(state.waiting, body.approval.id), { kind: 'approval', approval: body.approval }],
      })
    case 'approval.decided': {
      const words = `${body.code} was ${body.state} by ${body.by}${body.reason ? `: ${body.reason}` : ''}.`
      const next = woken({ ...state, waiting: without(state.waiting, body.approval) }, body.run)
      return only(next, { kind: 'verdict', approval: body.approval, text: words })
    }
    case 'question.asked': {
      const { question: id, run, text, choices, server } = body
      const item: PendingItem = { kind: 'question', id, run, text, choices, ...(server ? { server } : {}) }
      return quiet({ ...state, waiting: [...without(state.waiting, id), item] })
    }
    case 'question.closed':
      return quiet({ ...state, waiting: without(state.waiting, body.question) })
    case 'question.answered':
      return quiet(woken({ ...state, waiting: without(state.waiting, body.question) }, body.run))
  }
}

/** What was streamed before a retry is lost: the turn begins again. */
function onParked(state: ChatState, body: Extract<SessionBody, { type: 'run.parked' }>): ChatStep {
  const retry = body.retry ?? null
  const next = { ...marked(state, body.run, { kind: 'parked', on: body.on, retry }), doing: null }
  if (body.on !== 'retry') {
    const behind = behindWords(body)
    return behind === null ? quiet(next) : only(next, notice(behind))
  }
  const shown = state.streamed?.run === body.run && state.streamed.text !== ''
  return {
    state: { ...next, streamed: null },
    shows: [...(shown ? [{ kind: 'withdrawn' as const }] : []), { kind: 'retry', retry }],
  }
}

/** One line for all calls that have no card yet. */
function behindWords({ on, waiting = 0 }: Extract<SessionBody, { type: 'run.parked' }>): string | null {
  if (waiting === 0) return null
  const run = { state: 'parked' as const, parkedOn: on, retry: null, callsWaiting: waiting }
  const words = standingWords(run, (at) => at)
  return words === null ? null : `${words}.`
}

function onDelta(state: ChatState, delta: Extract<ServerFrame, { type: 'delta' }>): ChatStep {
  if (delta.session !== state.session || state.live !== delta.run) return quiet(state)
  const { run, turn, attempt } = delta
  const before = state.streamed?.run === run && state.streamed.turn === turn ? state.streamed : null
  if (before !== null && attempt < before.attempt) return quiet(state)
  const again = before !== null && attempt > before.attempt
  const shown = before === null || again ? '' : before.text
  const withdrawn = again && before.text !== '' ? [{ kind: 'withdrawn' as const }] : []
  if (delta.kind !== 'text') {
    const streamed = { run, turn, attempt, text: shown }
    return {
      state: { ...state, streamed, doing: doingAfter(again ? null : state.doing, delta) },
      shows: withdrawn,
    }
  }
  return {
    state: { ...state, streamed: { run, turn, attempt, text: shown + delta.text }, doing: null },
    shows: [...withdrawn, { kind: 'piece', text: delta.text }],
  }
}

function doingAfter(
  before: ChatActivity | null,
  delta: Extract<ServerFrame, { type: 'delta' }>,
): ChatActivity {
  if (delta.kind === 'reasoning') return { kind: 'thinking' }
  const tool = delta.tool ?? (before?.kind === 'calling' ? before.tool : 'a call')
  const written = before?.kind === 'calling' && before.tool === tool ? before.characters : 0
  return { kind: 'calling', tool, characters: written + delta.text.length }
}

/** Shows what streaming has not shown yet; all of it when the two do not agree. */
function onReply(state: ChatState, body: Extract<SessionBody, { type: 'turn.replied' }>): ChatStep {
  const before = state.streamed
  const shown = before !== null && before.run === body.run && before.turn === body.turn ? before.text : ''
  const next = {
    ...state,
    streamed: null,
    doing: null,
    live: body.run,
    replies: { ...state.replies, [body.run]: body.text },
  }
  if (body.text === '' && shown === '') return quiet(next)
  const agrees = body.text.startsWith(shown)
  const rest = agrees ? body.text.slice(shown.length) : body.text
  return {
    state: next,
    shows: [
      ...(agrees ? [] : [{ kind: 'withdrawn' as const }]),
      ...(rest === '' ? [] : [{ kind: 'piece' as const, text: rest }]),
      { kind: 'reply-ended' },
    ],
  }
}

function activity(
  state: ChatState,
  call: { readonly call: CallId; readonly tool: string; readonly headline: string },
  outcome: Activity['state'],
  summary: string,
  undoable: boolean,
): ChatOutput {
  const { tool, headline } = call
  return {
    kind: 'activity',
    activity: { state: outcome, tool, headline, tier: state.tiers[call.call] ?? null, summary, undoable },
  }
}

function endWords(reason: StopReason, message: string): string {
  if (reason === 'completed') return ''
  const words = {
    manual: 'Stopped',
    error: 'Failed',
    limit: 'Stopped at a limit',
    budget: 'Stopped: the budget is spent',
    denied: 'Ended after a denial',
  }
  return message === '' ? `${words[reason]}.` : `${words[reason]}: ${message}`
}

function progressOf(run: RunView): RunProgress {
  if (run.state === 'stopped')
    return { kind: 'ended', reason: run.reason ?? 'completed', message: run.message }
  if (run.state !== 'parked') return { kind: 'working' }
  return { kind: 'parked', on: run.parkedOn ?? 'approval', retry: run.retry }
}

/** A run that is tried again goes on by itself. */
function isStill(each: RunProgress): boolean {
  return each.kind === 'ended' || (each.kind === 'parked' && each.on !== 'retry')
}

function spendingShow(body: SpendingBody): ChatOutput {
  const { warns, text } = spendingWords(body)
  return { kind: warns ? 'warning' : 'notice', text }
}

function marked(state: ChatState, run: RunId, each: RunProgress): ChatState {
  return { ...state, runs: { ...state.runs, [run]: each } }
}

/** A run whose last open matter is settled is about to go on, before the event that says so. */
function woken(state: ChatState, run: RunId): ChatState {
  const held = state.waiting.some((each) => runOf(each) === run)
  return !held && progress(state, run).kind === 'parked' ? marked(state, run, { kind: 'working' }) : state
}

function runOf(waiting: PendingItem): RunId {
  return waiting.kind === 'approval' ? waiting.approval.run : waiting.run
}

function without(waiting: readonly PendingItem[], id: string): PendingItem[] {
  return waiting.filter((each) => (each.kind === 'approval' ? each.approval.id : each.id) !== id)
}

const notice = (text: string): ChatOutput => ({ kind: 'notice', text })
const quiet = (state: ChatState): ChatStep => ({ state, shows: [] })
const only = (state: ChatState, show: ChatOutput): ChatStep => ({ state, shows: [show] })
