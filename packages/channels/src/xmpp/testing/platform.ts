/** Owns XMPP as the cases see it: a real server, two people with programs of their own, and a wire that can be cut. */
import type { Fault, TestChat, TestPlatform } from '../../testing/platform.ts'
import { type Meddler, openWire } from '../../testing/wire.ts'
import { xml } from '../xml.ts'
import { type XmppPerson, xmppPerson } from './person.ts'
import { passwordOf, startProsody } from './prosody.ts'

const ours = 'helper'

export async function openXmppPlatform(): Promise<TestPlatform> {
  const server = await startProsody({ accounts: [ours, 'ana', 'ben'] })
  const wire = await openWire(server.port)
  const { port, domain } = server
  const group = `kitchen@${server.rooms}`
  const enter = (name: string) => xmppPerson({ port, name, password: passwordOf(name), room: group })
  const ana = await enter('ana')
  const ben = await enter('ben')
  const clients: Readonly<Record<string, XmppPerson>> = { [ana.jid]: ana, [ben.jid]: ben }
  const clientOf = (id: string): XmppPerson => {
    const client = clients[id]
    if (!client) throw new Error(`There is no ${id}.`)
    return client
  }
  const helper = `${ours}@${domain}`
  const to = (chat: TestChat): string => (chat.kind === 'group' ? group : helper)
  return {
    settings: { account: helper, host: '127.0.0.1', port: wire.port, security: 'none', rooms: [group] },
    secrets: { password: passwordOf(ours) },
    people: { ana: { id: ana.jid, name: ana.name }, ben: { id: ben.jid, name: ben.name } },
    chats: {
      ana: { id: ana.jid, kind: 'private' },
      ben: { id: ben.jid, kind: 'private' },
      group: { id: group, kind: 'group' },
    },
    nowhere: `nobody@${domain}`,
    says(who, chat, text, options = {}) {
      const client = clientOf(who.id)
      const isRoom = chat.kind === 'group'
      const nick = who.name === client.name ? [] : [xml('nick', nickSpace, who.name)]
      const reply = options.answers === undefined ? [] : [client.answers(options.answers)]
      const words = options.addressed && isRoom ? `${ours}: ${text}` : text
      return client.says(to(chat), isRoom, words, [...nick, ...reply])
    },
    async edits(who, chat, message, text) {
      const replace = xml('replace', { xmlns: 'urn:xmpp:message-correct:0', id: message })
      await clientOf(who.id).says(to(chat), chat.kind === 'group', text, [replace])
    },
    deletes: (who, chat, message) => clientOf(who.id).retracts(to(chat), message),
    /** The group as ana sees it. */
    shown: (chat) =>
      chat.kind === 'group' ? ana.shown(`${group}/${ours}`) : clientOf(chat.id).shown(helper),
    fail: (fault) => wire.meddle(meddlerFor(fault, () => wire.meddle(undefined))),
    disconnect: wire.cut,
    away: wire.away,
    back: wire.back,
    async close() {
      await wire.close()
      await Promise.all([ana.close(), ben.close()])
      await server.close()
    },
  }
}

const nickSpace = { xmlns: 'http://jabber.org/protocol/nick' }

/** With the next message only. */
function meddlerFor(fault: Fault, done: () => void): Meddler {
  let isSent = false
  return {
    out(text, hands) {
      const [message, to = '', id = ''] =
        /<message to="([^"]*)"[^>]* id="([^"]*)">.*?<\/message>/s.exec(text) ?? []
      if (message === undefined) return undefined
      if (fault.kind === 'lost-after') {
        isSent = true
        return undefined
      }
      done()
      if (fault.kind === 'lost-before') {
        hands.cut()
        return ''
      }
      const [type, condition] =
        fault.kind === 'slow-down' ? ['wait', 'resource-constraint'] : ['cancel', 'not-allowed']
      const space = 'urn:ietf:params:xml:ns:xmpp-stanzas'
      hands.say(
        `<message from="${to}" id="${id}" type="error"><error type="${type}"><${condition} xmlns="${space}"/></error></message>`,
      )
      return text.replace(message, '')
    },
    in(text, hands) {
      if (!isSent || !/<iq[^>]*type='result'/.test(text) || text.includes('<fin')) return undefined
      done()
      hands.cut()
      return ''
    },
  }
}
