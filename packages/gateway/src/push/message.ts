/** Owns what a notification says of an event. Words of a model are never in it, and nothing can be decided from it. */
import {
  type Effect,
  type EventBody,
  forDisplay,
  type PushMessage,
  Tier,
  tierWord,
} from '@countersign/contract'

export type ApprovalRequested = Extract<EventBody, { type: 'approval.requested' }>

const longestTitle = 120
const longestBody = 300

export function messageOf(body: EventBody): PushMessage | null {
  if (body.type === 'approval.requested') {
    const { card, code, id } = body.approval
    return {
      title: cut(card.headline, longestTitle),
      body: cut(`T${card.tier} ${tierWord[card.tier]}. ${effectWords(card.effects)}`, longestBody),
      url: `/approvals/${code}`,
      tag: id,
    }
  }
  if (body.type === 'question.asked')
    return {
      title: 'The agent has a question',
      body: 'Open the conversation to read and answer it.',
      url: `/chat/${body.session}`,
      tag: body.question,
    }
  if (body.type === 'notice')
    return { title: 'Countersign', body: cut(body.text, longestBody), url: '/', tag: `notice/${body.about}` }
  return null
}

/** The requests of one run that came together. A later one of the run takes its place on the screen. */
export function burstOf(requests: readonly ApprovalRequested[]): PushMessage {
  const highest = Math.max(...requests.map(({ approval }) => approval.card.tier))
  const tier = Tier.parse(highest)
  return {
    title: `${requests.length} requests wait`,
    body: `They are of one run; the highest is T${tier} ${tierWord[tier]}. Open the inbox to decide.`,
    url: '/approvals',
    tag: requests[0]?.approval.run ?? 'requests',
  }
}

/** Many at once become one that says how many wait. */
export function digestOf(waiting: number): PushMessage {
  return {
    title: `${waiting} ${waiting === 1 ? 'thing waits' : 'things wait'} for you`,
    body: 'Open the inbox to decide.',
    url: '/approvals',
    tag: 'digest',
  }
}

function effectWords(effects: readonly Effect[]): string {
  const leaves = effects.flatMap((effect) => effect.leaves)
  const undo = effects.every((effect) => effect.reversible) ? 'Can be undone.' : 'Cannot be undone.'
  return leaves.length === 0 ? undo : `Leaves this machine: ${leaves.join(', ')}. ${undo}`
}

function cut(text: string, most: number): string {
  const safe = forDisplay(text).text
  return safe.length <= most ? safe : `${safe.slice(0, most - 1)}…`
}
