/** Owns somebody on XMPP with a program of their own. */
import type { Shown } from '../../testing/platform.ts'
import { archivedAs, bodyOf } from '../archive.ts'
import { loginXmpp } from '../login.ts'
import { createRoom } from '../room.ts'
import { bareOf, createSession, pingMarkup } from '../session.ts'
import { attrOf, childOf, type Markup, type XmlElement, xml } from '../xml.ts'

export interface XmppPerson {
  readonly jid: string
  readonly name: string
  /** What somebody said to them alone, or in their room. */
  shown(from: string): readonly Shown[]
  /** Resolves with the id when the server has it. */
  says(to: string, isRoom: boolean, text: string, more?: readonly Markup[]): Promise<string>
  /** An answer to what was heard in the room under this id. */
  answers(id: string): Markup
  retracts(to: string, id: string): Promise<void>
  /** Whatever else they send. */
  sends(markup: Markup): Promise<void>
  close(): Promise<void>
}

export interface PersonOptions {
  readonly port: number
  readonly name: string
  readonly password: string
  readonly room?: string
}

interface Heard {
  readonly from: string
  readonly shown: Shown[]
}

export async function xmppPerson({ port, name, password, room }: PersonOptions): Promise<XmppPerson> {
  const jid = `${name}@localhost`
  const over = new AbortController()
  const settings = { account: jid, host: '127.0.0.1', port, security: 'none', rooms: [] } as const
  const login = await loginXmpp({ ...settings, rooms: [] }, password, over.signal)
  const session = createSession(login.stream, login.jid)
  const ending = session.run()
  const said = new Map<string, Heard>()
  /** Who said it in the room, and what the room calls it. */
  const inRoom = new Map<string, { readonly from: string; readonly id: string }>()
  const reflected = new Map<string, () => void>()
  const place = room === undefined ? undefined : createRoom(session, room, name)

  session.listen((element) => {
    if (element.name === 'presence') return place?.hear(element)
    const from = attrOf(element, 'from')
    const id = attrOf(element, 'id')
    if (attrOf(element, 'type') === 'groupchat') {
      inRoom.set(id, { from, id: archivedAs(element, bareOf(from)) ?? id })
      if (from === `${room}/${name}`) reflected.get(id)?.()
    }
    if (attrOf(element, 'type') !== 'error' && childOf(element, 'body')) show(element)
  })

  function show(element: XmlElement): void {
    const from =
      attrOf(element, 'type') === 'groupchat' ? attrOf(element, 'from') : bareOf(attrOf(element, 'from'))
    const heard = said.get(from) ?? { from, shown: [] }
    said.set(from, heard)
    const one = { text: bodyOf(element), buttons: [], file: null }
    const replaced = attrOf(childOf(element, 'replace'), 'id')
    const at = heard.shown.findIndex(({ id }) => id === replaced)
    if (at === -1) heard.shown.push({ id: attrOf(element, 'id'), edited: false, ...one })
    else heard.shown[at] = { id: replaced, edited: true, ...one }
  }

  async function deliver(to: string, isRoom: boolean, parts: readonly Markup[]): Promise<string> {
    const id = crypto.randomUUID()
    const done = Promise.withResolvers<void>()
    reflected.set(id, done.resolve)
    session.say(xml('message', { to, id, type: isRoom ? 'groupchat' : 'chat' }, ...parts))
    if (isRoom) await done.promise
    else await session.ask('get', session.domain, pingMarkup)
    return id
  }

  session.say(xml('presence'))
  await place?.join()
  return {
    jid,
    name,
    shown: (from) => said.get(from)?.shown ?? [],
    says: (to, isRoom, text, more = []) => deliver(to, isRoom, [xml('body', {}, text), ...more]),
    answers(id) {
      const one = inRoom.get(id)
      return xml('reply', { xmlns: 'urn:xmpp:reply:0', to: one?.from, id: one?.id })
    },
    async retracts(to, id) {
      const retract = xml('retract', { xmlns: 'urn:xmpp:message-retract:1', id })
      await deliver(to, false, [retract, xml('store', { xmlns: 'urn:xmpp:hints' })])
    },
    async sends(markup) {
      session.say(markup)
      await session.ask('get', session.domain, pingMarkup)
    },
    async close() {
      over.abort()
      await ending
      await login.stream.end()
    },
  }
}
