/** Owns the way to an XMPP server: stays connected, reads the archives, and says what we say. */
import { type ChannelAdapter, type ChannelContext, RejectedError } from '../frame/adapter.ts'
import { createIntake, type Intake } from '../frame/intake.ts'
import { type Account, keepConnected } from '../frame/keep-connected.ts'
import { archivedAs, archiveSpace, createArchive, type XmppArchive } from './archive.ts'
import { createReader, type RoomView, type XmppReader } from './inbound.ts'
import { loginXmpp } from './login.ts'
import { XmppSettings, xmppManifest } from './manifest.ts'
import { type ArchivePositions, createPositions } from './positions.ts'
import { createRoom, type XmppRoom } from './room.ts'
import { createXmppSender, type XmppSender } from './send.ts'
import { bareOf, createSession, featuresOf, pingMarkup, StanzaError, type XmppSession } from './session.ts'
import { attrOf, childOf, type XmlElement, xml } from './xml.ts'

type Context = ChannelContext<Readonly<Record<string, unknown>>>

/** To notice that the server is gone, to be where we were thrown out, and to read what nobody told us of. */
const lookMs = 60_000

/** What outlives a connection. */
interface XmppHome {
  readonly context: Context
  readonly settings: XmppSettings
  readonly intake: Intake
  readonly reader: XmppReader
  readonly positions: ArchivePositions
  /** By their rooms; ours under the empty name. */
  readonly archives: Map<string, XmppArchive>
  /** As each room is now. */
  readonly rooms: Map<string, XmppRoom>
  sender: XmppSender | undefined
}

export const xmppAdapter: ChannelAdapter<Readonly<Record<string, unknown>>> = {
  manifest: xmppManifest,
  async open(context) {
    const settings = XmppSettings.parse(context.settings)
    if (!context.secrets['password']) throw new RejectedError('The password of the account is missing.')
    const listed = new Set(settings.rooms.map(bareOf))
    const home: XmppHome = {
      context,
      settings,
      intake: createIntake(context),
      reader: createReader(settings.account.toLowerCase(), (jid) => listed.has(jid)),
      positions: createPositions(context),
      archives: new Map(),
      rooms: new Map(),
      sender: undefined,
    }
    const { ended } = await keepConnected(context, (standing) => converseOnce(home, standing))
    const away = { kind: 'later', afterMs: null, problem: 'There is no connection to the server.' } as const
    return {
      send: async (message) => home.sender?.send(message) ?? away,
      edit: async (message, change) => home.sender?.edit(message, change) ?? away,
      typing: async (chat) => home.sender?.typing(chat),
      // It ends with the signal that the context gave.
      close: () => ended,
    }
  },
}

async function converseOnce(home: XmppHome, standing: (account: Account) => void): Promise<string> {
  const { context, settings } = home
  const { stream, jid } = await loginXmpp(settings, context.secrets['password'] ?? '', context.signal)
  const session = createSession(stream, jid)
  const ending = session.run()
  let timer: NodeJS.Timeout | undefined
  try {
    const hasArchive = await arrive(home, session)
    standing({ id: session.bare, name: nickOf(settings) })
    timer = setInterval(() => look(home, session, hasArchive, stream.destroy), lookMs)
    return await ending
  } catch (error) {
    // Whoever lost the connection knows better why than who waited for an answer.
    stream.destroy(error instanceof Error ? error.message : String(error))
    return await ending
  } finally {
    clearInterval(timer)
    home.sender?.lost()
    home.sender = undefined
    await stream.end()
  }
}

const nickOf = ({ nick, account }: XmppSettings): string => nick ?? account.split('@', 1)[0] ?? account

/** Resolves with whether our own messages are archived, when nothing that is said from now on is missed. */
async function arrive(home: XmppHome, session: XmppSession): Promise<boolean> {
  const { settings, rooms } = home
  rooms.clear()
  for (const jid of settings.rooms.map(bareOf)) rooms.set(jid, createRoom(session, jid, nickOf(settings)))
  const nickIn = (chat: string) => {
    const room = rooms.get(chat)
    return room && (room.isIn ? room.nick : null)
  }
  const sender = createXmppSender({ session, nickIn })
  const hasArchive = (await featuresOf(session, session.bare).catch(nothing)).has(archiveSpace)
  const early: XmlElement[] = []
  let isThere = false
  session.listen((element) => {
    if (element.name === 'presence') return rooms.get(bareOf(attrOf(element, 'from')))?.hear(element)
    sender.hear(element)
    const room = rooms.get(bareOf(attrOf(element, 'from')))
    // Who has a name in a room now is known now only.
    room?.heard(element, nameOf(element, room.jid))
    if (isThere) hear(home, session, hasArchive, element)
    else early.push(element)
  })
  session.say(xml('presence'))
  await Promise.all([...rooms.values()].map((room) => room.join()))
  if (hasArchive) await archiveOf(home, '').read(session)
  await Promise.all([...rooms.values()].map((room) => readRoom(home, room, session)))
  isThere = true
  for (const element of early) hear(home, session, hasArchive, element)
  home.sender = sender
  return hasArchive
}

/** Whoever does not answer such a question can do nothing. A lost connection is something else. */
function nothing(error: unknown): ReadonlySet<string> {
  if (error instanceof StanzaError) return new Set()
  throw error
}

/** A room that does not let us read what it keeps is one that keeps nothing. */
async function readRoom(home: XmppHome, room: XmppRoom, session: XmppSession): Promise<void> {
  if (!room.isIn || !room.hasArchive) return
  try {
    await archiveOf(home, room.jid).read(session)
  } catch (error) {
    if (!(error instanceof StanzaError)) throw error
    room.closeArchive()
  }
}

function look(
  home: XmppHome,
  session: XmppSession,
  hasArchive: boolean,
  lost: (problem: string) => void,
): void {
  session.ask('get', session.domain, pingMarkup).catch((error: unknown) => {
    // A complaint is an answer too.
    if (!(error instanceof Error && error.name === 'StanzaError'))
      lost('The server does not answer any more.')
  })
  for (const room of home.rooms.values()) if (!room.isIn) void room.join()
  for (const archive of archivesOf(home, hasArchive)) readSoon(archive, session)
}

/** What cannot be read now is read at the next message, or when we look again. */
function readSoon(archive: XmppArchive, session: XmppSession): void {
  archive.read(session).catch(() => undefined)
}

function archivesOf(home: XmppHome, hasArchive: boolean): XmppArchive[] {
  const rooms = [...home.rooms.values()].filter((room) => room.isIn && room.hasArchive)
  return [...(hasArchive ? [archiveOf(home, '')] : []), ...rooms.map(({ jid }) => archiveOf(home, jid))]
}

function archiveOf(home: XmppHome, name: string): XmppArchive {
  const known = home.archives.get(name)
  if (known) return known
  const archive: XmppArchive = createArchive({
    room: name === '' ? undefined : name,
    position: home.positions.of(name),
    take: ({ message, id, at }) => take(home, message, id, at, home.rooms.get(name) ?? null),
    moved: () => {
      if (archive.position) home.positions.keep(name, archive.position)
    },
  })
  home.archives.set(name, archive)
  return archive
}

/** What comes over the stream: mostly only the word that the archive has something new. */
function hear(home: XmppHome, session: XmppSession, hasArchive: boolean, message: XmlElement): void {
  if (childOf(message, 'result', archiveSpace) || attrOf(message, 'type') === 'error') return
  const room = home.rooms.get(bareOf(attrOf(message, 'from'))) ?? null
  const isArchived = room ? room.hasArchive : hasArchive
  const by = room ? room.jid : session.bare
  if (isArchived && archivedAs(message, by) !== undefined)
    return readSoon(archiveOf(home, room ? room.jid : ''), session)
  // It rejects only when the channel ends.
  take(home, message, nameOf(message, by), new Date().toISOString(), room).catch(() => undefined)
}

/** What an archive calls it; where none has it, what its sender calls it. */
function nameOf(message: XmlElement, by: string): string {
  const own = attrOf(message, 'id')
  const id = archivedAs(message, by)
  return id ?? `live/${attrOf(message, 'from')}/${own === '' ? crypto.randomUUID() : own}`
}

async function take(
  home: XmppHome,
  message: XmlElement,
  id: string,
  at: string,
  room: RoomView | null,
): Promise<void> {
  const event = home.reader.read({ message, id, at, room })
  if (event) await home.intake.take(event)
}
