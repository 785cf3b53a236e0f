/** Owns what a line of IRC says to us, and how much is known of who wrote it. Pure but for the id that is handed to it. */
import type { InboundMessage } from '../frame/events.ts'
import { mentionOf } from '../frame/mention.ts'
import { type IrcLine, lowered, maskText } from './line.ts'
import { withoutCodes } from './text.ts'

export interface IrcView {
  readonly nick: string
  readonly caps: ReadonlySet<string>
  readonly channels: ReadonlySet<string>
  /** Nobody on the way can write lines of their own. */
  readonly isPrivateWay: boolean
  /** For a line that has no id of its own; none comes twice. */
  readonly freshId: () => string
  readonly now: Date
}

/** Undefined for what nobody said to us or to a channel of ours. */
export function ircMessage(line: IrcLine, view: IrcView): InboundMessage | undefined {
  const { source, params } = line
  const [to = '', said = ''] = params
  if (line.command !== 'PRIVMSG' || !source || source.user === '' || source.host === '') return undefined
  if (lowered(source.nick) === lowered(view.nick)) return undefined
  const isPrivate = lowered(to) === lowered(view.nick)
  if (!isPrivate && !view.channels.has(lowered(to))) return undefined
  const words = spoken(said)
  if (words === undefined) return undefined
  const mention = mentionOf(words, view.nick, letter)
  const mask = maskText(source)
  const account = view.caps.has('account-tag') && view.isPrivateWay ? line.tags.get('account') : undefined
  return {
    type: 'message',
    id: idOf(line, view),
    chat: isPrivate
      ? { id: mask.slice(0, 300), kind: 'private', title: source.nick.slice(0, 300) }
      : { id: lowered(to), kind: 'group', title: to },
    at: timeOf(line, view),
    sender: {
      // Only services know an account; a nickname and a host are lent to whoever comes next.
      id: (account ? `account:${account}` : mask).slice(0, 300),
      name: source.nick.slice(0, 300),
      proven: account !== undefined && account !== '',
      bot: view.caps.has('message-tags') && line.tags.has('bot'),
    },
    text: mention.text,
    thread: null,
    addressed: isPrivate || mention.isThere,
    forwarded: false,
    files: [],
  }
}

/** Undefined for a question that one program asks another. */
function spoken(said: string): string | undefined {
  if (!said.startsWith('\u0001')) return withoutCodes(said)
  const [, action] = /^ACTION (.*)$/.exec(said.replaceAll('\u0001', '')) ?? []
  return action === undefined ? undefined : withoutCodes(action)
}

/** What no nickname can go on with. */
const letter = /[A-Za-z0-9[\]\\`_^{|}-]/

function idOf({ tags }: IrcLine, view: IrcView): string {
  const id = view.caps.has('message-tags') ? tags.get('msgid') : undefined
  return id ? `msgid/${id}`.slice(0, 300) : view.freshId()
}

function timeOf({ tags }: IrcLine, view: IrcView): string {
  const told = view.caps.has('server-time') ? new Date(tags.get('time') ?? '') : view.now
  return (Number.isNaN(told.getTime()) ? view.now : told).toISOString()
}
