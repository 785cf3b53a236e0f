/** Owns IRC as the cases see it: a real server, two people with clients of their own, and a wire that can be cut. */
import type { Fault, Shown, TestChat, TestPlatform } from '../../testing/platform.ts'
import { type Meddler, openWire } from '../../testing/wire.ts'
import { startNgircd } from './ngircd.ts'
import { type IrcPerson, ircPerson } from './person.ts'

const ourNick = 'helper'
const group = '#kitchen'

export async function openIrcPlatform(): Promise<TestPlatform> {
  const server = await startNgircd()
  const wire = await openWire(server.port)
  const [ana, ben] = await Promise.all(
    ['ana', 'ben'].map((nick) => ircPerson(server.port, server.password, nick, group)),
  )
  if (!ana || !ben) throw new Error('Nobody came.')
  const clients: Readonly<Record<string, IrcPerson>> = { [ana.mask]: ana, [ben.mask]: ben }
  const privately = (person: IrcPerson): TestChat => ({ id: person.mask, kind: 'private' })
  const person = ({ mask, nick }: IrcPerson) => ({ id: mask, name: nick })

  /** The group as ana sees it. */
  function shown(chat: TestChat): readonly Shown[] {
    const client = clients[chat.id] ?? ana
    const to = chat.kind === 'group' ? group : client?.nick
    const said = (client?.heard ?? []).filter((one) => one.to === to && one.from.startsWith(`${ourNick}!`))
    return said.map(({ text }, index) => ({
      id: String(index),
      text,
      edited: false,
      buttons: [],
      file: null,
    }))
  }

  let said = 0
  return {
    settings: {
      host: '127.0.0.1',
      port: wire.port,
      tls: false,
      nick: ourNick,
      channels: [group],
      pauseMs: 0,
    },
    secrets: { serverPassword: server.password },
    people: { ana: person(ana), ben: person(ben) },
    chats: { ana: privately(ana), ben: privately(ben), group: { id: group, kind: 'group' } },
    nowhere: 'nobody!~nobody@127.0.0.1',
    async says(who, chat, text, options = {}) {
      const client = clients[who.id]
      if (client?.nick !== who.name) throw new Error('On IRC the name is what they are known by.')
      // Whoever is not answered on IRC looks whether the other is there.
      await client.sees(ourNick, group, true)
      const isGroup = chat.kind === 'group'
      await client.says(
        isGroup ? group : ourNick,
        options.addressed && isGroup ? `${ourNick}: ${text}` : text,
      )
      said += 1
      return String(said)
    },
    shown,
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

/** With the next message only. */
function meddlerFor(fault: Fault, done: () => void): Meddler {
  let isSent = false
  return {
    out(text, hands) {
      const [, target] = /PRIVMSG (\S+) :/.exec(text) ?? []
      if (!target) return undefined
      if (fault.kind === 'lost-after') {
        isSent = true
        return undefined
      }
      done()
      if (fault.kind === 'lost-before') {
        hands.cut()
        return ''
      }
      hands.say(`:irc.example.net 404 ${ourNick} ${target} :Cannot send to channel\r\n`)
      return text.replaceAll(/^PRIVMSG .*\r\n/gm, '')
    },
    in(text, hands) {
      if (!isSent || !text.includes('PONG')) return undefined
      done()
      hands.cut()
      return ''
    },
  }
}
