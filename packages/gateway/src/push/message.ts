/**
 * Builds the notification of an event, in the language of the browser that gets it. It holds no words of a model, and
 * nothing can be decided from it.
 */
import {
  type Effect,
  type EventBody,
  forDisplay,
  type PushMessage,
  type Reminder,
  reversalOf,
  Tier,
  timeAndPlace,
} from '@countersign/contract'
import type { Occasion } from './preferences.ts'
import type { PushWords } from './words/index.ts'

export type ApprovalRequested = Extract<EventBody, { type: 'approval.requested' }>

const longestTitle = 120
const longestBody = 300

/** Null for what is told in another way, or to nobody. What begins soon is told in quiet hours too. */
export function occasionOf(body: EventBody): Occasion | null {
  if (body.type === 'reminder.due') return { kind: 'reminder', expiresAt: new Date(body.startsAt) }
  if (body.type === 'question.asked') return { kind: 'question' }
  if (body.type === 'notice') return { kind: 'failure' }
  return body.type === 'budget.reached' || body.type === 'spending.held' ? { kind: 'budget' } : null
}

export function messageOf(body: EventBody, words: PushWords): PushMessage | null {
  if (body.type === 'approval.requested') {
    const { card, code, id } = body.approval
    return {
      title: cut(card.headline, longestTitle),
      body: cut(words.request.body(words.tiers[card.tier], effectWords(card.effects, words)), longestBody),
      url: `/approvals/${code}`,
      tag: id,
    }
  }
  if (body.type === 'question.asked')
    return {
      ...(body.server ? words.serverQuestion : words.question),
      url: `/chat/${body.session}`,
      tag: body.question,
    }
  if (body.type === 'notice')
    return { title: words.product, body: cut(body.text, longestBody), url: '/', tag: `notice/${body.about}` }
  if (body.type === 'reminder.due')
    return {
      title: cut(body.title, longestTitle),
      body: cut(reminderBody(body, words), longestBody),
      url: '/',
      tag: `reminder/${body.event}`,
    }
  if (body.type === 'budget.reached')
    return {
      title: words.budget.title,
      body: cut(words.budget.reached(body.budget, body.percent), longestBody),
      url: '/costs',
      tag: `budget/${body.budget}`,
    }
  if (body.type === 'spending.held')
    return { title: words.budget.title, body: words.budget.held, url: '/costs', tag: 'held' }
  return null
}

/** The requests of one run that came together. A later one of the run takes its place on the screen. */
export function burstOf(requests: readonly ApprovalRequested[], words: PushWords): PushMessage {
  const highest = Math.max(...requests.map(({ approval }) => approval.card.tier))
  const tier = Tier.parse(highest)
  return {
    title: words.requests.title(requests.length),
    body: words.requests.body(words.tiers[tier]),
    url: '/approvals',
    tag: requests[0]?.approval.run ?? 'requests',
  }
}

/** Many at once become one that says how many wait. */
export function digestOf(waiting: number, words: PushWords): PushMessage {
  return {
    title: words.many.title(waiting),
    body: words.many.body,
    url: '/approvals',
    tag: 'digest',
  }
}

function effectWords(effects: readonly Effect[], { request }: PushWords): string {
  const leaves = effects.flatMap((effect) => effect.leaves)
  const undo = request.undo[reversalOf(effects)]
  return leaves.length === 0 ? undo : request.leaves(leaves.join(', '), undo)
}

function cut(text: string, most: number): string {
  const safe = forDisplay(text).text
  return safe.length <= most ? safe : `${safe.slice(0, most - 1)}…`
}

function reminderBody(reminder: Omit<Reminder, 'event'>, { reminder: words }: PushWords): string {
  const told = (reminder.begun ? words.began : words.begins)(timeAndPlace(reminder))
  return reminder.late ? `${told} ${words.late}` : told
}
