/** Owns the thread of one session: what was said and done in it, in the order of the log. */
import type { GatewayEvent } from '../events.ts'
import type { RunId, SessionId } from '../ids.ts'
import { type Draft, keepHighest } from './draft.ts'
import { beginningOf } from './shorten.ts'
import { liveBounds, type MarkItem, type ThreadItemLive, type ThreadLive } from './state.ts'

type Body = GatewayEvent['body']
type Of<Type extends Body['type']> = Extract<Body, { type: Type }>

/** Brings the threads to where they stand after an event. */
export function changeThreads(draft: Draft, event: GatewayEvent): void {
  const { body } = event
  switch (body.type) {
    case 'input.admitted':
      return touched(draft, event, body.session, (thread) => said(thread, event, body))
    case 'run.started':
      return touched(draft, event, body.session, (thread) => started(thread, body))
    case 'run.parked':
      return touched(draft, event, body.session, (thread) =>
        grown(thread, {
          ...mark(event, body.run, 'parked'),
          on: body.on,
        }),
      )
    case 'run.retrying':
      return touched(draft, event, body.session, (thread) =>
        grown(thread, {
          ...mark(event, body.run, 'retrying'),
          text: beginningOf(body.retry.because, liveBounds.itemText).text,
        }),
      )
    case 'run.resumed':
      return touched(draft, event, body.session, (thread) => grown(thread, mark(event, body.run, 'resumed')))
    case 'run.ended':
      return touched(draft, event, body.session, (thread) =>
        grown(thread, {
          ...mark(event, body.run, 'ended'),
          reason: body.reason,
          text: beginningOf(body.message, liveBounds.itemText).text,
        }),
      )
    case 'turn.replied':
      return touched(draft, event, body.session, (thread) => replied(thread, event, body))
    case 'call.decided':
      return touched(draft, event, body.session, (thread) => proposed(thread, event, body))
    case 'call.ended':
      return touched(draft, event, body.session, (thread) => ended(thread, event, body))
    case 'approval.requested':
      return touched(draft, event, body.session, (thread) => requested(thread, event, body))
    case 'approval.decided':
      return touched(draft, event, body.session, (thread) => decided(thread, event, body))
    case 'question.asked':
      return touched(draft, event, body.session, (thread) => asked(thread, event, body))
    case 'question.answered':
      return touched(draft, event, body.session, (thread) => answered(thread, event, body))
    case 'question.closed':
      return touched(draft, event, body.session, (thread) => closed(thread, event, body))
    default:
      return
  }
}

function touched(
  { threads }: Draft,
  event: GatewayEvent,
  session: SessionId,
  change: (thread: ThreadLive) => ThreadLive,
): void {
  const before = threads.get(session)
  const after = change(before ?? empty(session))
  // A verdict on a card that is no longer kept makes no thread.
  if (after.items.length === 0 && after.run === null) return
  threads.set(session, { ...after, seq: event.seq, at: event.at })
  if (before) return
  keepHighest(
    threads.values(),
    liveBounds.threads,
    ({ seq }) => seq,
    (thread) => threads.remove(thread.session),
  )
}

function empty(session: SessionId): ThreadLive {
  return { session, seq: 0, at: '', run: null, items: [], dropped: 0, size: 0 }
}

function said(thread: ThreadLive, { seq, at }: GatewayEvent, body: Of<'input.admitted'>): ThreadLive {
  const { input, run, mode } = body
  const text = beginningOf(body.text, liveBounds.itemText)
  const files = body.attachments === undefined ? {} : { attachments: body.attachments }
  return grown(thread, { kind: 'message', seq, at, input, run, ...text, mode, ...files })
}

function started(thread: ThreadLive, body: Of<'run.started'>): ThreadLive {
  return changed({ ...thread, run: body.run }, (item) =>
    item.kind === 'message' && item.input === body.input ? { ...item, run: body.run } : null,
  )
}

function replied(thread: ThreadLive, { seq, at }: GatewayEvent, body: Of<'turn.replied'>): ThreadLive {
  const { run, turn, calls, cutShort, model } = body
  const text = beginningOf(body.text, liveBounds.itemText)
  const short = cutShort === true ? { cutShort } : {}
  const by = model === undefined ? {} : { model }
  return grown(thread, { kind: 'reply', seq, at, run, turn, ...text, calls, ...by, ...short })
}

function proposed(thread: ThreadLive, { seq, at }: GatewayEvent, body: Of<'call.decided'>): ThreadLive {
  const { run, call, tool, decision } = body
  const headline = beginningOf(body.headline, liveBounds.itemText).text
  const found = thread.items.some((item) => item.kind === 'cell' && item.call === call)
  if (found) {
    // It is tried again, or it was looked at anew.
    return changed(thread, (item) =>
      item.kind === 'cell' && item.call === call
        ? {
            ...item,
            tool,
            headline,
            decision,
            outcome: null,
            summary: '',
            undoable: false,
            endedAt: null,
            endedSeq: null,
          }
        : null,
    )
  }
  const open = { outcome: null, summary: '', undoable: false, endedAt: null, endedSeq: null }
  return grown(thread, { kind: 'cell', seq, at, run, call, tool, headline, decision, ...open })
}

function ended(thread: ThreadLive, { seq, at }: GatewayEvent, body: Of<'call.ended'>): ThreadLive {
  const { run, call, tool, outcome, undoable } = body
  const headline = beginningOf(body.headline, liveBounds.itemText).text
  const summary = beginningOf(body.summary, liveBounds.itemText).text
  const end = { tool, headline, outcome, summary, undoable, endedAt: at, endedSeq: seq }
  const found = thread.items.some((item) => item.kind === 'cell' && item.call === call)
  if (!found) return grown(thread, { kind: 'cell', seq, at, run, call, decision: null, ...end })
  return changed(thread, (item) => (item.kind === 'cell' && item.call === call ? { ...item, ...end } : null))
}

function requested(
  thread: ThreadLive,
  { seq, at }: GatewayEvent,
  body: Of<'approval.requested'>,
): ThreadLive {
  const { id: approval, call, code, card, state } = body.approval
  const { headline, tier } = card
  const open = { state, by: null, reason: null, decidedAt: null, decidedSeq: null }
  return grown(thread, {
    kind: 'approval',
    seq,
    at,
    run: body.run,
    approval,
    call,
    code,
    headline: beginningOf(headline, liveBounds.itemText).text,
    tier,
    ...open,
  })
}

function decided(thread: ThreadLive, { seq, at }: GatewayEvent, body: Of<'approval.decided'>): ThreadLive {
  const { state, by } = body
  const reason = body.reason === null ? null : beginningOf(body.reason, liveBounds.itemText).text
  return changed(thread, (item) =>
    item.kind === 'approval' && item.approval === body.approval
      ? { ...item, state, by, reason, decidedAt: at, decidedSeq: seq }
      : null,
  )
}

function asked(thread: ThreadLive, { seq, at }: GatewayEvent, body: Of<'question.asked'>): ThreadLive {
  const { run, question, call } = body
  const text = beginningOf(body.text, liveBounds.itemText)
  const server = body.server ? { server: body.server.server } : {}
  return grown(thread, { kind: 'question', seq, at, run, question, call, ...text, ...unanswered, ...server })
}

const unanswered = { answer: null, answeredAt: null, answeredSeq: null }

function answered(thread: ThreadLive, { seq, at }: GatewayEvent, body: Of<'question.answered'>): ThreadLive {
  const answer = beginningOf(body.answer, liveBounds.itemText).text
  return changed(thread, (item) =>
    item.kind === 'question' && item.question === body.question
      ? { ...item, answer, answeredAt: at, answeredSeq: seq }
      : null,
  )
}

function closed(thread: ThreadLive, { seq, at }: GatewayEvent, body: Of<'question.closed'>): ThreadLive {
  return changed(thread, (item) =>
    item.kind === 'question' && item.question === body.question
      ? { ...item, how: body.how, answeredAt: at, answeredSeq: seq }
      : null,
  )
}

function mark({ seq, at }: GatewayEvent, run: RunId, kind: MarkItem['mark']): MarkItem {
  return { kind: 'mark', seq, at, run, mark: kind, on: null, reason: null, text: '' }
}

function grown(thread: ThreadLive, item: ThreadItemLive): ThreadLive {
  return cutToSize({ ...thread, items: [...thread.items, item], size: thread.size + sizeOf(item) })
}

/** Replaces the items for which there is another. */
function changed(thread: ThreadLive, change: (item: ThreadItemLive) => ThreadItemLive | null): ThreadLive {
  let { size } = thread
  let any = false
  const items = thread.items.map((item) => {
    const next = change(item)
    if (next === null) return item
    any = true
    size += sizeOf(next) - sizeOf(item)
    return next
  })
  return any ? cutToSize({ ...thread, items, size }) : thread
}

function cutToSize(thread: ThreadLive): ThreadLive {
  let { size } = thread
  let first = 0
  const last = thread.items.length - 1
  while (first < last && (thread.items.length - first > liveBounds.items || size > liveBounds.threadText)) {
    size -= sizeOf(thread.items[first] as ThreadItemLive)
    first += 1
  }
  if (first === 0) return thread
  return { ...thread, items: thread.items.slice(first), dropped: thread.dropped + first, size }
}

function sizeOf(item: ThreadItemLive): number {
  switch (item.kind) {
    case 'message':
    case 'reply':
    case 'mark':
      return item.text.length
    case 'cell':
      return item.headline.length + item.summary.length
    case 'approval':
      return item.headline.length + (item.reason?.length ?? 0)
    case 'question':
      return item.text.length + (item.answer?.length ?? 0)
  }
}
