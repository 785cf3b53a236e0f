/** Owns the words in which the commands say how a channel and a delivery stand. */
import type { ChannelKindView, ChannelState, ChannelView, DeliveryView } from '@countersign/contract'
import { counted } from '../output/counted.ts'
import { line } from '../output/safe-text.ts'

export const stateWords: Readonly<Record<ChannelState, string>> = {
  connected: 'connected',
  connecting: 'connecting',
  disconnected: 'not connected',
  rejected: 'rejected',
  paused: 'paused',
}

export const deliveryWords: Readonly<Record<DeliveryView['state'], string>> = {
  waiting: 'waiting',
  sending: 'being sent',
  sent: 'sent',
  unknown: 'unknown',
  expired: 'expired',
  refused: 'refused',
  held: 'held for you',
  dropped: 'dropped',
  aside: 'put aside',
}

export const deliveryKinds: Readonly<Record<DeliveryView['kind'], string>> = {
  reply: 'reply',
  message: 'message',
  card: 'approval',
  notice: 'notice',
  pairing: 'code',
  answer: 'line',
  test: 'test',
  change: 'change',
  incoming: 'message',
}

/** What to do about a channel, besides looking at it. */
export function channelNotes({ name, state, problem, asking, held, unknown, aside }: ChannelView): string[] {
  const log = (of: string) => `See \`countersign channel log ${line(name)} --state ${of}\`.`
  return [
    ...(problem === null ? [] : [line(problem)]),
    ...(state === 'rejected'
      ? [`Put it right with \`countersign channel set ${line(name)}\`; --secret replaces a secret.`]
      : []),
    ...(asking > 0
      ? [
          `${counted(asking, 'person asks', 'people ask')} to be let in. See \`countersign peer list --channel ${line(name)}\`.`,
        ]
      : []),
    ...(held > 0
      ? [`${counted(held, 'answer waits', 'answers wait')} for you to send or drop. ${log('held')}`]
      : []),
    ...(unknown > 0
      ? [`Nobody knows whether ${counted(unknown, 'message', 'messages')} arrived. ${log('unknown')}`]
      : []),
    ...(aside > 0
      ? [`${counted(aside, 'message', 'messages')} that came in could not be handled. ${log('aside')}`]
      : []),
  ]
}

/** Up to what the operator's own account may decide. */
export function decisionWords(kind: ChannelKindView | undefined, isOn: boolean): string {
  if (!kind || !kind.bindable || kind.direction === 'out') return 'nothing'
  if (!isOn) return 'nothing, since it is switched off'
  return kind.decides === 0
    ? 'deny only; approve in the app or in a terminal'
    : `up to T${kind.decides}, in your own private chat`
}
