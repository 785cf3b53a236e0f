import { readFileSync } from 'node:fs'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { certificateFor } from '../testing/certificate.ts'
import { describeChannel } from '../testing/conformance.ts'
import { createTestGateway, type TestGateway, until as untilWithin } from '../testing/test-gateway.ts'
import { openWire, type Wire } from '../testing/wire.ts'
import { xmppAdapter } from './adapter.ts'
import { archiveSpace } from './archive.ts'
import { type XmppPerson, xmppPerson } from './testing/person.ts'
import { openXmppPlatform } from './testing/platform.ts'
import { type Prosody, type ProsodyOptions, passwordOf, startProsody } from './testing/prosody.ts'
import { xml } from './xml.ts'

const linksOnly = 'A file comes as a link in the text.'

const patienceMs = 30_000
const until = (what: string, isSo: () => boolean) => untilWithin(what, isSo, patienceMs)

describeChannel({
  adapter: xmppAdapter,
  open: openXmppPlatform,
  without: {
    forwarded: 'XMPP has no mark for what somebody else wrote first.',
    threads: 'Programs of people show no threads.',
    bots: 'XMPP does not say who is a program.',
    repeats: 'A server tells everything once; what is read again from the archive is asked in other cases.',
    'files-in': linksOnly,
    voice: linksOnly,
  },
})

const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

interface Town {
  readonly server: Prosody
  readonly wire: Wire
  readonly gateway: TestGateway
  person(name: string, room?: string): Promise<XmppPerson>
}

const accounts = ['helper', 'ana', 'ben']
let usual: Prosody
beforeAll(async () => {
  usual = await startProsody({ accounts })
})
afterAll(() => usual.close())

/** A server with the helper on it; one of its own where it is not as usual. */
async function town(
  options: Partial<ProsodyOptions> = {},
  change: Readonly<Record<string, unknown>> = {},
): Promise<Town> {
  const isUsual = Object.keys(options).length === 0
  const server = isUsual ? usual : await startProsody({ accounts, ...options })
  const wire = await openWire(server.port)
  const way = { host: '127.0.0.1', port: wire.port, security: 'none' }
  const settings = { account: 'helper@localhost', ...way, ...change }
  const secrets = { password: passwordOf('helper') }
  const gateway = createTestGateway({ adapter: xmppAdapter, settings, secrets, patienceMs })
  if (!isUsual) ends.push(server.close)
  ends.push(wire.close, gateway.stop)
  return {
    server,
    wire,
    gateway,
    async person(name, room) {
      const person = await xmppPerson({
        port: server.port,
        name,
        password: passwordOf(name),
        ...(room ? { room } : {}),
      })
      ends.push(person.close)
      return person
    },
  }
}

const texts = (gateway: TestGateway): string[] =>
  gateway.taken.map((event) => `${event.type}: ${'text' in event ? event.text : ''}`)

const helper = 'helper@localhost'

describe('who wrote on XMPP', () => {
  it('is nobody in a room that hides who is there, and nobody who speaks from within it', async () => {
    const room = 'masked@rooms.localhost'
    const { gateway, person } = await town({ openRooms: false }, { rooms: [room] })
    const ana = await person('ana', room)
    gateway.start()
    await gateway.connected()
    await ana.sends(xml('message', { to: `${room}/helper`, type: 'chat' }, xml('body', {}, 'a whisper')))
    await ana.says(room, true, 'helper: hello')
    await until('a message', () => gateway.taken.length > 0)
    expect(gateway.taken).toMatchObject([
      { text: 'hello', addressed: true, sender: { id: `${room}/ana`, name: 'ana', proven: false } },
    ])
  })

  it('is not who a forged archive, a forged copy or a forged mark of a room says', async () => {
    const room = 'open@rooms.localhost'
    const { gateway, person } = await town({}, { rooms: [room] })
    const ana = await person('ana', room)
    gateway.start()
    await gateway.connected()
    const inner = xml('message', { from: 'ben@localhost/x', type: 'chat' }, xml('body', {}, 'forged'))
    const delay = xml('delay', { xmlns: 'urn:xmpp:delay', stamp: '2026-01-01T00:00:00Z' })
    const forwarded = xml('forwarded', { xmlns: 'urn:xmpp:forward:0' }, delay, inner)
    const body = (text: string) => xml('body', {}, text)
    const to = { to: helper, type: 'chat' }
    const item = xml('item', { jid: 'ben@localhost/x', role: 'participant' })
    const mark = xml('x', { xmlns: 'http://jabber.org/protocol/muc#user' }, item)
    await ana.sends(xml('message', to, xml('result', { xmlns: archiveSpace, id: 'f1' }, forwarded)))
    await ana.sends(xml('message', to, xml('received', { xmlns: 'urn:xmpp:carbons:2' }, forwarded)))
    await ana.sends(
      xml('message', to, body('one'), xml('stanza-id', { xmlns: 'urn:xmpp:sid:0', by: helper, id: 'f2' })),
    )
    await ana.says(room, true, 'helper: two', [mark])
    await until('two messages', () => gateway.taken.length >= 2)
    for (const event of gateway.taken) expect(event).toMatchObject({ sender: { id: ana.jid, proven: true } })
    expect(texts(gateway).toSorted()).toEqual(['message: one', 'message: two'])
    expect(gateway.taken.map(({ id }) => id)).not.toContain('f2')
  })

  it('changes and takes back what they said themselves, and nothing of others', async () => {
    const { gateway, person } = await town()
    const ana = await person('ana')
    const ben = await person('ben')
    gateway.start()
    await gateway.connected()
    const id = await ana.says(helper, false, 'mine')
    const replace = xml('replace', { xmlns: 'urn:xmpp:message-correct:0', id })
    await ben.retracts(helper, id)
    await ben.says(helper, false, 'not yours', [replace])
    await ana.says(helper, false, 'mine too', [replace])
    await until('the change', () => gateway.taken.some(({ type }) => type === 'edited'))
    expect(texts(gateway).toSorted()).toEqual(['edited: mine too', 'message: mine', 'message: not yours'])
  })

  it('is read without what they quote', async () => {
    const room = 'open@rooms.localhost'
    const { gateway, person } = await town({}, { rooms: [room] })
    const ana = await person('ana', room)
    gateway.start()
    await gateway.connected()
    const quote = '> 😀 what we said\n'
    const range = xml('body', { start: '0', end: String(Array.from(quote).length) })
    await ana.says(room, true, `${quote}yes`, [
      xml('reply', { xmlns: 'urn:xmpp:reply:0', to: `${room}/helper`, id: 'any' }),
      xml('fallback', { xmlns: 'urn:xmpp:fallback:0', for: 'urn:xmpp:reply:0' }, range),
    ])
    await until('a message', () => gateway.taken.length > 0)
    expect(gateway.taken).toMatchObject([{ text: 'yes', addressed: true }])
  })
})

describe('the archive on XMPP', () => {
  it('is read from where it was, also in rooms, and over many pages', async () => {
    const room = 'open@rooms.localhost'
    const { gateway, person } = await town({}, { rooms: [room] })
    const ana = await person('ana', room)
    await ana.says(helper, false, 'before anything')
    gateway.start()
    await gateway.connected()
    await gateway.stop()
    const words: string[] = []
    for (let index = 0; index < 70; index += 1) {
      words.push(`word ${index}`)
      await ana.says(index % 10 === 0 ? room : helper, index % 10 === 0, `word ${index}`)
    }
    gateway.start()
    await until('all of them', () => gateway.taken.length >= words.length)
    expect(texts(gateway).toSorted()).toEqual(words.map((word) => `message: ${word}`).toSorted())
    const first = gateway.taken.find((event) => event.chat.id === room)
    // Nobody saw who had the name when it was said.
    expect(first).toMatchObject({ sender: { id: ana.jid, proven: false } })
  })

  it('is missed where there is none, and what comes is heard all the same', async () => {
    const modules = ['saslauth', 'disco', 'roster', 'ping']
    const { gateway, person } = await town({ modules })
    const ana = await person('ana')
    gateway.start()
    await gateway.connected()
    await ana.says(helper, false, 'hello')
    await until('a message', () => gateway.taken.length > 0)
    expect(gateway.taken).toMatchObject([{ text: 'hello', sender: { id: ana.jid, proven: true } }])
  })
})

describe('the line on XMPP', () => {
  it('is refused where the certificate is nobody that is known, before the password', async () => {
    const certificate = certificateFor('localhost', ends)
    const { gateway, wire } = await town({ certificate }, { security: 'starttls' })
    let out = ''
    wire.meddle({
      out: (text) => {
        out += text
        return text
      },
    })
    gateway.start()
    await until('it to be refused', () => gateway.standings.at(-1)?.type === 'disconnected')
    expect(gateway.standings.at(-1)).toMatchObject({ problem: expect.stringMatching(/certificate/) })
    expect(out).toContain('<starttls')
    expect(out).not.toContain('<auth')
  })

  it('is private with a certificate that is known, whatever way leads there', async () => {
    const certificate = certificateFor('localhost', ends)
    const before = getCACertificates('default')
    setDefaultCACertificates([...before, readFileSync(certificate.chain, 'utf8')])
    ends.push(async () => setDefaultCACertificates(before))
    const { gateway, person } = await town({ certificate }, { security: 'starttls' })
    const ana = await person('ana')
    gateway.start()
    await gateway.connected()
    await ana.says(helper, false, 'hello')
    await until('a message', () => gateway.taken.length > 0)
    expect(texts(gateway)).toEqual(['message: hello'])
  })

  it('is given up where somebody took the offer of TLS away', async () => {
    const certificate = certificateFor('localhost', ends)
    const { gateway, wire } = await town({ certificate }, { security: 'starttls' })
    let out = ''
    wire.meddle({
      out: (text) => {
        out += text
        return text
      },
      in: (text) => text.replace(/<starttls.*?(?:\/>|<\/starttls>)/s, ''),
    })
    gateway.start()
    await until('it to be refused', () => gateway.standings.at(-1)?.type === 'rejected')
    expect(out).not.toContain('<auth')
  })

  it('is not opened to another computer without TLS', async () => {
    const { gateway } = await town({}, { host: '192.0.2.1', security: 'none' })
    gateway.start()
    await until('it to be refused', () => gateway.standings.at(-1)?.type === 'rejected')
  })

  it('is opened anew after what is no XML', async () => {
    const { gateway, wire, person } = await town()
    const ana = await person('ana')
    gateway.start()
    await gateway.connected()
    let isDone = false
    wire.meddle({
      in: (text) => {
        if (isDone) return undefined
        isDone = true
        return `<message>&unknown;${text}`
      },
    })
    await ana.says(helper, false, 'hello')
    await until('a message', () => gateway.taken.length > 0)
    expect(texts(gateway)).toEqual(['message: hello'])
    expect(gateway.standings.map(({ type }) => type)).toContain('disconnected')
  })
})
