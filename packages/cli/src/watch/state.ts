/**
 * The live list as a pure reducer over keys and events. Enter never approves; `a` approves only a card that is open,
 * has been seen to its end, and has stood still for a moment.
 */
import { type ApprovalView, providerWords, type RunView, type ServerFrame } from '@countersign/contract'
import { isSpending, spendingWords } from '../chat/spending.ts'

export interface WatchState {
  readonly approvals: readonly ApprovalView[]
  /** Calls of each run that have no card yet. */
  readonly behind: Readonly<Record<string, number>>
  readonly at: number
  /** The card that is open, how far it is scrolled, and since when it has stood there. */
  readonly open: {
    readonly id: string
    readonly scroll: number
    readonly since: number
    readonly seen: boolean
  } | null
  /** The reason being typed for a denial. */
  readonly denying: string | null
  readonly message: string
}

export type WatchEffect =
  | { readonly kind: 'none' }
  | { readonly kind: 'quit' }
  | { readonly kind: 'approve'; readonly approval: ApprovalView }
  | { readonly kind: 'deny'; readonly approval: ApprovalView; readonly reason: string }

export interface WatchStep {
  readonly state: WatchState
  readonly effect: WatchEffect
}

/** How many lines the open card has, and how many of them fit. */
export interface CardHeight {
  readonly lines: number
  readonly height: number
}

export const armingMs = 600

export function watching(approvals: readonly ApprovalView[]): WatchState {
  return { approvals, behind: {}, at: 0, open: null, denying: null, message: '' }
}

export function onFrame(state: WatchState, frame: ServerFrame): WatchState {
  if (frame.type !== 'event') return state
  const { body } = frame.event
  if (body.type === 'approval.requested') {
    return {
      ...state,
      approvals: [...state.approvals.filter(({ id }) => id !== body.approval.id), body.approval],
    }
  }
  if (isSpending(body)) return { ...state, message: spendingWords(body).text }
  if (body.type === 'run.parked') {
    const behind = { ...state.behind, [body.run]: body.waiting ?? 0 }
    return body.on === 'retry'
      ? { ...state, behind, message: `${providerWords(body.retry ?? null)}. It retries automatically.` }
      : { ...state, behind }
  }
  if (body.type === 'run.resumed' || body.type === 'run.ended')
    return { ...state, behind: { ...state.behind, [body.run]: 0 } }
  if (body.type !== 'approval.decided') return state
  return withList(
    state,
    state.approvals.filter(({ id }) => id !== body.approval),
    `${body.code} was ${body.state} by ${body.by}.`,
  )
}

/** Another list, with the same card selected where it is still there. */
export function withList(state: WatchState, approvals: readonly ApprovalView[], message: string): WatchState {
  const chosen = state.approvals[state.at]?.id
  const found = approvals.findIndex(({ id }) => id === chosen)
  const stays = state.open !== null && approvals.some(({ id }) => id === state.open?.id)
  return {
    ...state,
    approvals,
    at: found === -1 ? Math.max(0, Math.min(state.at, approvals.length - 1)) : found,
    open: stays ? state.open : null,
    denying: stays || state.open === null ? state.denying : null,
    message,
  }
}

/** The runs that wait, as they are read with the list. */
export function withRuns(
  state: WatchState,
  parked: readonly Pick<RunView, 'id' | 'callsWaiting'>[],
): WatchState {
  return { ...state, behind: Object.fromEntries(parked.map(({ id, callsWaiting }) => [id, callsWaiting])) }
}

export function onKey(state: WatchState, key: string, fit: CardHeight, now: number): WatchStep {
  if (state.denying !== null) return whileDenying(state, state.denying, key)
  const clear = { ...state, message: '' }
  switch (key) {
    case 'q':
    case 'ctrl-c':
      return state.open === null || key === 'ctrl-c'
        ? { state, effect: { kind: 'quit' } }
        : stay({ ...clear, open: null })
    case 'escape':
      return stay({ ...clear, open: null })
    case 'j':
    case 'down':
      return stay(moved(clear, 1, fit))
    case 'k':
    case 'up':
      return stay(moved(clear, -1, fit))
    case 'o':
      return stay(opened(clear, fit, now))
    case 'a':
      return approving(clear, fit, now)
    case 'd':
      return chosen(state) === undefined ? stay(clear) : stay({ ...clear, denying: '' })
    default:
      return stay(state)
  }
}

export function chosen(state: WatchState): ApprovalView | undefined {
  return state.open === null
    ? state.approvals[state.at]
    : state.approvals.find(({ id }) => id === state.open?.id)
}

function moved(state: WatchState, by: number, fit: CardHeight): WatchState {
  if (state.open === null) {
    return { ...state, at: Math.max(0, Math.min(state.at + by, state.approvals.length - 1)) }
  }
  const last = Math.max(0, fit.lines - fit.height)
  const scroll = Math.max(0, Math.min(state.open.scroll + by, last))
  return { ...state, open: { ...state.open, scroll, seen: state.open.seen || scroll >= last } }
}

function opened(state: WatchState, fit: CardHeight, now: number): WatchState {
  const approval = chosen(state)
  if (approval === undefined || state.open !== null) return state
  return { ...state, open: { id: approval.id, scroll: 0, since: now, seen: fit.lines <= fit.height } }
}

function approving(state: WatchState, fit: CardHeight, now: number): WatchStep {
  const approval = chosen(state)
  if (approval === undefined) return stay(state)
  if (state.open === null)
    return stay({ ...opened(state, fit, now), message: 'Read it, then press a to approve.' })
  if (approval.card.tier === 4)
    return stay({
      ...state,
      message: 'A critical action needs your passkey and cannot be approved in a terminal.',
    })
  if (!state.open.seen) return stay({ ...state, message: 'Read it to the end first: j scrolls down.' })
  if (now - state.open.since < armingMs)
    return stay({ ...state, message: 'It appeared just now. Press a again.' })
  return { state: { ...state, message: 'Approving…' }, effect: { kind: 'approve', approval } }
}

function whileDenying(state: WatchState, reason: string, key: string): WatchStep {
  const approval = chosen(state)
  if (key === 'escape' || key === 'ctrl-c' || approval === undefined) return stay({ ...state, denying: null })
  if (key === 'return') {
    return {
      state: { ...state, denying: null, message: 'Denying…' },
      effect: { kind: 'deny', approval, reason },
    }
  }
  if (key === 'backspace') return stay({ ...state, denying: Array.from(reason).slice(0, -1).join('') })
  return stay(Array.from(key).length === 1 ? { ...state, denying: reason + key } : state)
}

function stay(state: WatchState): WatchStep {
  return { state, effect: { kind: 'none' } }
}
