/** Owns what a message says to us, and who is shown to have written it. */
import type { InboundEvent, Sender } from '../frame/events.ts'
import { mentionOf } from '../frame/mention.ts'
import { bareOf } from './session.ts'
import { attrOf, childOf, elementsOf, textOf, type XmlElement } from './xml.ts'

export interface RoomView {
  readonly jid: string
  /** What we are called there. */
  readonly nick: string
  /** Everybody there is shown with their real address, by a service of our own server. */
  readonly isOpen: boolean
  /** The address of whoever had the name when we heard this from the room itself. */
  authorOf(id: string): string | undefined
}

export interface Arrival {
  readonly message: XmlElement
  /** Under which the archive has it, or another that is always the same. */
  readonly id: string
  readonly at: string
  /** Null where it came to us alone. */
  readonly room: RoomView | null
}

export interface XmppReader {
  /** Undefined for what nobody said to us. */
  read(arrival: Arrival): InboundEvent | undefined
}

const longestText = 100_000
const mostKnown = 2_000

export function createReader(ours: string, isRoom: (jid: string) => boolean): XmppReader {
  /** What a sender called a message, and what the gateway calls it. */
  const known = new Map<string, string>()

  function remember(sender: string, names: readonly string[], id: string): void {
    for (const name of names) if (name !== '') known.set(`${sender}\n${name}`, id)
    for (const oldest of known.keys()) {
      if (known.size <= mostKnown) break
      known.delete(oldest)
    }
  }

  return {
    read(arrival) {
      const { message, id, at, room } = arrival
      const place = room ? inRoom(message, room, { id, ours }) : inPrivate(message, ours, isRoom)
      if (!place) return undefined
      const { sender, chat } = place
      const base = { id: (room ? `${room.jid}/${id}` : id).slice(0, 300), chat, at }
      const retracted = childOf(message, 'retract', 'urn:xmpp:message-retract:1')
      const taken = known.get(`${sender.id}\n${attrOf(retracted, 'id')}`)
      if (retracted) return taken === undefined ? undefined : { type: 'deleted', ...base, message: taken }
      const body = childOf(message, 'body')
      if (!body) return undefined
      const own = ownWords(message, textOf(body)).slice(0, longestText).toWellFormed()
      const { text, isThere } = room ? mentionOf(own, room.nick, letter) : { text: own, isThere: true }
      const changed = childOf(message, 'replace', 'urn:xmpp:message-correct:0')
      const before = known.get(`${sender.id}\n${attrOf(changed, 'id')}`)
      // What corrects a message that we never had is a message.
      if (changed && before !== undefined) return { type: 'edited', ...base, sender, message: before, text }
      remember(sender.id, [...namesOf(message), id], base.id)
      const addressed = isThere || answersUs(message, room)
      return { type: 'message', ...base, sender, text, thread: null, addressed, forwarded: false, files: [] }
    },
  }
}

const letter = /[\p{L}\p{N}_-]/u

interface Place {
  readonly sender: Sender
  readonly chat: InboundEvent['chat']
}

function inPrivate(message: XmlElement, ours: string, isRoom: (jid: string) => boolean): Place | undefined {
  const from = bareOf(attrOf(message, 'from'))
  const type = attrOf(message, 'type') || 'normal'
  // From somebody in a room, whose name there is lent. Older services do not mark that, and neither do all archives.
  const isFromRoom =
    isRoom(from) || childOf(message, 'x', 'http://jabber.org/protocol/muc#user') !== undefined
  if (from === '' || from === ours || isFromRoom || (type !== 'chat' && type !== 'normal')) return undefined
  const nick = textOf(childOf(message, 'nick', 'http://jabber.org/protocol/nick'))
  const name = shortened(nick || (from.split('@', 1)[0] ?? from))
  return {
    // Our server vouches for it, by a login or by what other servers prove to it.
    sender: { id: from.slice(0, 300), name, proven: true, bot: false },
    chat: { id: from.slice(0, 300), kind: 'private', title: name },
  }
}

function inRoom(
  message: XmlElement,
  room: RoomView,
  { id, ours }: { readonly id: string; readonly ours: string },
): Place | undefined {
  const from = attrOf(message, 'from')
  const slash = from.indexOf('/')
  const nick = from.slice(slash + 1)
  if (slash === -1 || nick === '' || attrOf(message, 'type') !== 'groupchat') return undefined
  const author = room.isOpen ? room.authorOf(id) : undefined
  const told = author ?? (room.isOpen ? markOf(message) : '')
  if (nick === room.nick || told === ours) return undefined
  return {
    sender: {
      id: (told || `${room.jid}/${nick}`).slice(0, 300),
      name: shortened(nick),
      proven: author !== undefined,
      bot: false,
    },
    chat: { id: room.jid, kind: 'group', title: room.jid.split('@', 1)[0] ?? room.jid },
  }
}

/**
 * The address that the archive of a room adds to what was said while we were not there. Some rooms leave a mark that the
 * sender made in front of their own, so that it is believed by nobody.
 */
function markOf(message: XmlElement): string {
  const marks = elementsOf(message).filter(
    ({ name, space }) => name === 'x' && space === 'http://jabber.org/protocol/muc#user',
  )
  return bareOf(attrOf(childOf(marks.at(-1), 'item'), 'jid'))
}

const shortened = (name: string): string => name.slice(0, 300).toWellFormed()

const replySpace = 'urn:xmpp:reply:0'

function answersUs(message: XmlElement, room: RoomView | null): boolean {
  const to = attrOf(childOf(message, 'reply', replySpace), 'to')
  return room !== null && to === `${room.jid}/${room.nick}`
}

/** Without what is quoted for programs that know no answers. */
function ownWords(message: XmlElement, body: string): string {
  const fallback = elementsOf(message).find(
    (child) => child.name === 'fallback' && attrOf(child, 'for') === replySpace,
  )
  const quoted = childOf(fallback, 'body')
  if (!quoted || !childOf(message, 'reply', replySpace)) return body
  const letters = Array.from(body)
  const [start, end] = [Number(attrOf(quoted, 'start')), Number(attrOf(quoted, 'end'))]
  if (!(start >= 0 && end >= start && end <= letters.length)) return body
  return [...letters.slice(0, start), ...letters.slice(end)].join('')
}

/** By which its sender may speak of it later; the room speaks of it by the id of its archive. */
function namesOf(message: XmlElement): string[] {
  return [attrOf(message, 'id'), attrOf(childOf(message, 'origin-id', 'urn:xmpp:sid:0'), 'id')]
}
