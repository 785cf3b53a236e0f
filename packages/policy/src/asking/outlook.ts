/** Owns what is known, when a call is asked about, of what would make such calls stop asking. Asks policy, never guesses. */
import type { PolicySet } from '../compile.ts'
import { decide } from '../decide.ts'
import { coversAt, stops } from '../grants/cover.ts'
import { type GrantOffer, type OfferedCall, offersOf } from '../grants/offer.ts'
import { type BareFacts, withinGatewayReach } from '../judge.ts'

export interface AskOutlook extends GrantOffer {
  /** What the same call does in a task that has read nothing untrusted: runs, is for a rule to allow, or asks as well. */
  readonly unread: 'runs' | 'rule' | 'asks'
}

export interface AskedCall extends OfferedCall {
  /** The same call in a task that has read nothing untrusted; null where that is this one, or no such task can be. */
  readonly unread: BareFacts | null
}

export function outlookOf(asked: AskedCall, set: PolicySet): AskOutlook {
  return { ...offersOf(asked, set), unread: unreadOf(asked, set) }
}

function unreadOf({ call, unread }: AskedCall, set: PolicySet): AskOutlook['unread'] {
  if (unread === null) return 'asks'
  if (withinGatewayReach(decide({ ...unread, granted: null }, set)).kind === 'allow') return 'runs'
  const isNameable = stops.some((stop) => coversAt(stop, call) !== null)
  const isAnswered = decide({ ...unread, granted: { id: 'offered' } }, set).grant !== undefined
  return isNameable && isAnswered ? 'rule' : 'asks'
}
