/** Owns what becomes of a message from a chat, by who wrote it and where. Pure: it looks at what is handed to it. */
import type { ChannelManifest, InboundMessage } from '@countersign/channels'
import type { ChannelChoices } from '@countersign/contract'
import { isOwnChat, type Peer } from './peers.ts'

export interface MessageFacts {
  readonly manifest: Pick<ChannelManifest, 'proves' | 'decides'>
  readonly choices: Pick<ChannelChoices, 'groups'>
  readonly peer: Peer | 'blocked' | undefined
  /** Of the operator's day. */
  readonly hour: number
  /** What their messages cost since the day began. */
  readonly spentUsd: number
  readonly inLastHour: number
}

export type MessageVerdict =
  /** Nothing is answered and no model hears of it. */
  | { readonly kind: 'left'; readonly why: string }
  | { readonly kind: 'pair' }
  | { readonly kind: 'limited'; readonly told: string }
  /** `decides`: a decision in it counts. */
  | { readonly kind: 'heard'; readonly peer: Peer; readonly decides: boolean }

export function judgeMessage(event: InboundMessage, facts: MessageFacts): MessageVerdict {
  const { peer, choices, manifest } = facts
  const { sender, chat } = event
  if (sender.bot) return { kind: 'left', why: 'a program wrote it' }
  if (peer === 'blocked') return { kind: 'left', why: 'they are blocked' }
  if (chat.kind === 'group') {
    if (!choices.groups.includes(chat.id)) return { kind: 'left', why: 'the group is not on the list' }
    if (!event.addressed) return { kind: 'left', why: 'it is not addressed to the assistant' }
    if (!peer) return { kind: 'left', why: 'nobody let them in' }
  }
  const isProven = manifest.proves === 'sender' && sender.proven
  // An answer would go to whoever they say they are, and what is done would be done for them.
  if (manifest.proves === 'sender' && !isProven) return { kind: 'left', why: 'nothing shows who wrote it' }
  if (!peer) return { kind: 'pair' }
  if (peer.role === 'operator' && !isProven)
    return { kind: 'left', why: 'nothing shows that it was written by them' }
  if (peer.role !== 'operator') {
    const told = limitOf(peer, facts)
    if (told !== undefined) return { kind: 'limited', told }
  }
  return {
    kind: 'heard',
    peer,
    decides: isOwnChat(peer, chat) && !event.forwarded,
  }
}

/** What somebody is told who may ask nothing now. Programs are held to the same. */
export function limitOf(
  { limits }: Pick<Peer, 'limits'>,
  { hour, spentUsd, inLastHour }: Pick<MessageFacts, 'hour' | 'spentUsd' | 'inLastHour'>,
): string | undefined {
  const { hours, dailyUsd, messagesPerHour } = limits
  if (hours && !isWithin(hour, hours)) return `I answer between ${hours.from}:00 and ${hours.to}:00.`
  if (inLastHour > messagesPerHour) return 'That is a lot in an hour. Please try again later.'
  if (spentUsd >= dailyUsd) return 'That is all that I can do for you today.'
  return undefined
}

/** Also over midnight. */
function isWithin(hour: number, { from, to }: { readonly from: number; readonly to: number }): boolean {
  return from <= to ? hour >= from && hour < to : hour >= from || hour < to
}
