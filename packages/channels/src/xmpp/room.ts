/** Owns our stay in one room: who is there, what we are called, and that we come back when we are thrown out. */
import { bareOf, featuresOf, type XmppSession } from './session.ts'
import { attrOf, childOf, elementsOf, type XmlElement, xml } from './xml.ts'

export interface XmppRoom {
  readonly jid: string
  readonly nick: string
  readonly isIn: boolean
  readonly isOpen: boolean
  /** It keeps what is said there, and lets us read it. */
  readonly hasArchive: boolean
  closeArchive(): void
  /** The address of whoever had the name when we heard this here. */
  authorOf(id: string): string | undefined
  /** Resolves when the room has answered, whatever it said. */
  join(): Promise<void>
  /** Every presence that comes. */
  hear(presence: XmlElement): void
  /** A message that the room sends now, and what it is called. */
  heard(message: XmlElement, id: string): void
}

const space = 'http://jabber.org/protocol/muc'
const joinMs = 20_000
const mostNicks = 4
const mostAuthors = 1_000

interface RoomState {
  readonly session: XmppSession
  readonly jid: string
  readonly wanted: string
  /** Of those who are there now, by what they are called. The room says so, and nobody else can. */
  readonly realJids: Map<string, string>
  readonly authors: Map<string, string>
  nick: string
  isIn: boolean
  features: ReadonlySet<string>
  isClosed: boolean
  answered: () => void
}

export function createRoom(session: XmppSession, jid: string, wanted: string): XmppRoom {
  const state: RoomState = {
    session,
    jid,
    wanted,
    realJids: new Map(),
    authors: new Map(),
    nick: wanted,
    isIn: false,
    features: new Set(),
    isClosed: false,
    answered: () => undefined,
  }
  return {
    jid,
    get nick() {
      return state.nick
    },
    get isIn() {
      return state.isIn
    },
    get isOpen() {
      return state.features.has('muc_nonanonymous') && isOurs(jid, session.domain)
    },
    get hasArchive() {
      return state.features.has('urn:xmpp:mam:2') && !state.isClosed
    },
    closeArchive() {
      state.isClosed = true
    },
    async join() {
      const { promise, resolve } = Promise.withResolvers<void>()
      const timer = setTimeout(resolve, joinMs)
      state.answered = resolve
      state.nick = wanted
      void session.over.then(resolve)
      enter(state)
      await promise
      clearTimeout(timer)
      // A room that does not say what it does is one that shows and keeps nothing.
      if (state.isIn) state.features = await featuresOf(session, jid).catch(() => new Set<string>())
    },
    hear: (presence) => hear(state, presence),
    authorOf: (id) => state.authors.get(id),
    heard(message, id) {
      const author = state.realJids.get(nickIn(attrOf(message, 'from')))
      if (author === undefined) return
      state.authors.set(id, bareOf(author))
      for (const oldest of state.authors.keys()) {
        if (state.authors.size <= mostAuthors) break
        state.authors.delete(oldest)
      }
    },
  }
}

function enter({ session, jid, nick }: RoomState): void {
  const history = xml('history', { maxstanzas: '0' })
  session.say(xml('presence', { to: `${jid}/${nick}` }, xml('x', { xmlns: space }, history)))
}

function hear(state: RoomState, presence: XmlElement): void {
  const seen = readPresence(presence)
  if (seen.room !== state.jid) return
  if (seen.type === 'error') return turnedAway(state, presence)
  if (seen.type === 'unavailable') {
    state.realJids.delete(seen.nick)
    if (seen.nick === state.nick) state.isIn = false
    return
  }
  if (seen.realJid !== '') state.realJids.set(seen.nick, seen.realJid)
  if (!seen.codes.includes('110')) return
  state.nick = seen.nick
  state.isIn = true
  if (seen.codes.includes('201')) openNew(state.session, state.jid)
  state.answered()
}

function turnedAway(state: RoomState, presence: XmlElement): void {
  const isTaken = childOf(childOf(presence, 'error'), 'conflict') !== undefined
  if (isTaken && state.nick.length < state.wanted.length + mostNicks) {
    state.nick += '_'
    return enter(state)
  }
  state.isIn = false
  state.answered()
}

interface RoomPresence {
  readonly room: string
  readonly nick: string
  readonly type: string
  readonly realJid: string
  /** 110 is we ourselves, 201 a new room. */
  readonly codes: readonly string[]
}

const nickIn = (occupant: string): string => occupant.slice(occupant.indexOf('/') + 1)

function readPresence(presence: XmlElement): RoomPresence {
  const from = attrOf(presence, 'from')
  const about = childOf(presence, 'x', `${space}#user`)
  return {
    room: bareOf(from),
    nick: nickIn(from),
    type: attrOf(presence, 'type'),
    realJid: attrOf(childOf(about, 'item'), 'jid'),
    codes: about ? elementsOf(about).map((status) => attrOf(status, 'code')) : [],
  }
}

/** A room that nobody made before waits for whoever made it to open it. */
function openNew(session: XmppSession, jid: string): void {
  const form = xml('x', { xmlns: 'jabber:x:data', type: 'submit' })
  // Where it cannot, the room stays closed to others, and its maker sees that.
  session.ask('set', jid, xml('query', { xmlns: `${space}#owner` }, form)).catch(() => undefined)
}

/** A service of somebody else may say of anybody that they are there. */
function isOurs(jid: string, domain: string): boolean {
  const service = jid.slice(jid.indexOf('@') + 1)
  return service === domain || service.endsWith(`.${domain}`)
}
