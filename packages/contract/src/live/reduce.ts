/**
 * Owns how the log becomes the present: one event after another, without a clock and without chance. Live views, replay
 * and the comparison with the gateway's own state all use this function.
 */
import type { ApprovalView } from '../card.ts'
import type { GatewayEvent } from '../events.ts'
import { closeDraft, type Draft, keepHighest, openDraft } from './draft.ts'
import { changeRuns } from './run.ts'
import { appendBounded } from './shorten.ts'
import { type LiveState, liveBounds, type NoticeFacts } from './state.ts'
import { changeThreads } from './thread.ts'

type Body = GatewayEvent['body']
type Of<Type extends Body['type']> = Extract<Body, { type: Type }>

/** An event that was there already changes nothing; one of an unknown type only moves the number on. */
export function reduce(state: LiveState, event: GatewayEvent): LiveState {
  return fold(state, [event])
}

/** The same as reducing one by one, and much quicker for many. */
export function fold(state: LiveState, events: Iterable<GatewayEvent>): LiveState {
  let draft: Draft | null = null
  for (const event of events) {
    if (event.seq <= (draft ?? { rest: state }).rest.seq) continue
    draft ??= openDraft(state)
    draft.rest = { ...draft.rest, seq: event.seq }
    changeRuns(draft, event)
    changeThreads(draft, event)
    change(draft, event)
  }
  return draft === null ? state : closeDraft(draft)
}

/** No page shows any longer what no table holds. */
function erase({ threads, runs, approvals, questions }: Draft, { session }: Of<'session.erased'>): void {
  threads.remove(session)
  for (const run of runs.values()) if (run.session === session) runs.remove(run.id)
  for (const each of approvals.values()) if (each.session === session) approvals.remove(each.id)
  for (const each of questions.values()) if (each.session === session) questions.remove(each.id)
}

function change(draft: Draft, event: GatewayEvent): void {
  const { body, at, seq } = event
  const { grants } = draft.rest
  const set = (part: Partial<Draft['rest']>) => {
    draft.rest = { ...draft.rest, ...part }
  }
  switch (body.type) {
    case 'run.ended':
      return release(draft, body)
    case 'approval.requested':
      return request(draft, body)
    case 'approval.decided':
      return decide(draft, event, body)
    case 'approval.extended': {
      const approval = draft.approvals.get(body.approval)
      if (approval) draft.approvals.set(approval.id, { ...approval, expiresAt: body.expiresAt })
      return
    }
    case 'approval.answered': {
      const approval = draft.approvals.get(body.approval)
      const { exchange } = body
      if (approval)
        draft.approvals.set(approval.id, {
          ...approval,
          asked: appendBounded(approval.asked, exchange, liveBounds.exchanges),
        })
      return
    }
    case 'question.asked':
      return ask(draft, event, body)
    case 'question.answered':
    case 'question.closed':
      return draft.questions.remove(body.question)
    case 'session.erased':
      return erase(draft, body)
    case 'grant.created':
      return set({ grants: { ...grants, created: grants.created + 1, seq } })
    case 'grant.revoked':
      return set({ grants: { ...grants, revoked: grants.revoked + 1, seq } })
    case 'devices.changed':
      return set({ devices: { seq } })
    case 'system.paused':
      return set({ paused: { at, by: body.by } })
    case 'system.resumed':
      return set({ paused: null })
    case 'spending.held':
      set({ held: { at, reason: body.reason } })
      return notice(draft, event, 'spending', { kind: 'held', reason: body.reason })
    case 'spending.released':
      set({ held: null })
      return notice(draft, event, 'spending', { kind: 'released', by: body.by })
    case 'budget.reached':
      return notice(draft, event, 'budget', budgetFacts(body))
    case 'notice':
      return notice(draft, event, body.about, { kind: 'text', text: body.text })
    case 'reminder.due': {
      const { type: _, ...facts } = body
      return notice(draft, event, body.event, { kind: 'reminder', ...facts })
    }
    default:
      return
  }
}

/** Nothing in a run is decided or answered any more once it is over. */
function release({ approvals, questions }: Draft, { run }: Of<'run.ended'>): void {
  for (const approval of approvals.values()) if (approval.run === run) approvals.remove(approval.id)
  for (const question of questions.values()) if (question.run === run) questions.remove(question.id)
}

function request({ approvals }: Draft, body: Of<'approval.requested'>): void {
  // A log that began long ago has cards from before there were exchanges and edits.
  const { asked, replaces }: Partial<ApprovalView> = body.approval
  const approval = { ...body.approval, asked: asked ?? [], replaces: replaces ?? null }
  // An edit puts a request in the place of another.
  if (approval.replaces !== null) approvals.remove(approval.replaces)
  approvals.set(approval.id, approval)
  keepHighest(
    approvals.values(),
    liveBounds.approvals,
    ({ id }) => id,
    ({ id }) => approvals.remove(id),
  )
}

function decide(draft: Draft, { at }: GatewayEvent, body: Of<'approval.decided'>): void {
  const { approval: id, session, run, code, state, by, reason } = body
  const { decided } = draft.rest
  const before = decided.find((each) => each.id === id)
  const card = draft.approvals.get(id)?.card
  const headline = card?.headline ?? before?.headline ?? ''
  const tier = card?.tier ?? before?.tier ?? null
  const others = before ? decided.filter((each) => each !== before) : decided
  const entry = { id, session, run, code, state, by, reason, headline, tier, at }
  draft.approvals.remove(id)
  draft.rest = { ...draft.rest, decided: appendBounded(others, entry, liveBounds.decided) }
}

function ask({ questions }: Draft, { at }: GatewayEvent, body: Of<'question.asked'>): void {
  const { question: id, session, run, call, kind, text, choices, server } = body
  const form = server ? { server } : {}
  questions.set(id, { id, session, run, call, kind, text, choices, ...form, at })
  keepHighest(
    questions.values(),
    liveBounds.questions,
    (each) => each.id,
    (each) => questions.remove(each.id),
  )
}

function notice(draft: Draft, { seq, at }: GatewayEvent, about: string, facts: NoticeFacts): void {
  const notices = appendBounded(draft.rest.notices, { seq, at, about, facts }, liveBounds.notices)
  draft.rest = { ...draft.rest, notices }
}

function budgetFacts({ budget, percent, spentUsd, limitUsd }: Of<'budget.reached'>): NoticeFacts {
  return { kind: 'budget', budget, percent, spentUsd, limitUsd }
}
