import { readFileSync } from 'node:fs'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterEach, describe, expect, it } from 'vitest'
import type { InboundMessage } from '../frame/events.ts'
import { certificateFor } from '../testing/certificate.ts'
import { describeChannel } from '../testing/conformance.ts'
import { createTestGateway, type TestGateway, until as untilWithin } from '../testing/test-gateway.ts'
import { ircAdapter } from './adapter.ts'
import { createPace } from './pace.ts'
import { startNgircd } from './testing/ngircd.ts'
import { ircPerson } from './testing/person.ts'
import { openIrcPlatform } from './testing/platform.ts'
import { type ScriptedIrcOptions, startScriptedIrc } from './testing/scripted-irc.ts'

const lineOnly = 'A message of IRC is one line of text and nothing else.'

const patienceMs = 30_000
const until = (what: string, isSo: () => boolean) => untilWithin(what, isSo, patienceMs)

describeChannel({
  adapter: ircAdapter,
  open: openIrcPlatform,
  without: {
    newlines: lineOnly,
    answers: lineOnly,
    forwarded: lineOnly,
    threads: lineOnly,
    edits: 'IRC changes nothing that was said.',
    deletes: 'IRC takes nothing back that was said.',
    'files-in': 'IRC carries no files.',
    voice: 'IRC carries no files.',
    bots: 'ngircd does not say who is a program.',
    repeats: 'IRC tells everything once.',
    keeps: 'IRC keeps nothing for who is not there.',
    ids: 'ngircd gives messages no ids.',
    'slow-down': 'A server of IRC reads more slowly and says nothing of it.',
  },
})

describe('IRC with accounts', () => {
  const ends: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const end of ends.splice(0).toReversed()) await end()
  })

  async function started(
    options: ScriptedIrcOptions,
    secrets: Readonly<Record<string, string>> = {},
    change: Readonly<Record<string, unknown>> = {},
  ) {
    const server = await startScriptedIrc(options)
    ends.push(server.close)
    const settings = {
      host: '127.0.0.1',
      port: server.port,
      tls: false,
      nick: 'helper',
      pauseMs: 0,
      ...change,
    }
    const gateway = createTestGateway({ adapter: ircAdapter, settings, secrets, patienceMs })
    ends.push(gateway.stop)
    gateway.start()
    return { server, gateway }
  }

  async function heard(gateway: TestGateway, count: number): Promise<InboundMessage[]> {
    await until(`${count} messages`, () => gateway.taken.length >= count)
    return gateway.taken.filter((event) => event.type === 'message')
  }

  it('knows a sender by the account that the server tells', async () => {
    const { server, gateway } = await started({ caps: 'account-tag message-tags server-time sasl=PLAIN' })
    await gateway.connected()
    server.says('@account=anna;msgid=m1;time=2026-02-03T04:05:06.000Z :Ana!a@h PRIVMSG helper :hello')
    server.says('@msgid=m2;bot :Robo!r@h PRIVMSG helper :beep')
    const [one, two] = await heard(gateway, 2)
    expect(one).toMatchObject({
      id: 'msgid/m1',
      at: '2026-02-03T04:05:06.000Z',
      chat: { id: 'ana!a@h', kind: 'private' },
      sender: { id: 'account:anna', name: 'Ana', proven: true, bot: false },
    })
    expect(two?.sender).toEqual({ id: 'robo!r@h', name: 'Robo', proven: false, bot: true })
  })

  it('believes no tag of which the server did not say that it makes them', async () => {
    const { server, gateway } = await started({ caps: 'multi-prefix' })
    await gateway.connected()
    server.says('@account=anna;msgid=m1;bot :Ana!a@h PRIVMSG helper :hello')
    const [one] = await heard(gateway, 1)
    expect(one?.sender).toEqual({ id: 'ana!a@h', name: 'Ana', proven: false, bot: false })
    expect(one?.id).not.toContain('m1')
  })

  it('proves who we are by the password of the account', async () => {
    const account = { name: 'our-account', password: 'a secret ž' }
    const { gateway } = await started(
      { caps: 'sasl', account },
      { password: account.password },
      { account: account.name },
    )
    await gateway.connected()
  })

  it('is rejected with the wrong password of the account, and says no word of it', async () => {
    const account = { name: 'helper', password: 'right' }
    const { gateway } = await started({ caps: 'sasl', account }, { password: 'wrong-one' })
    await until('it to be rejected', () => gateway.standings.at(-1)?.type === 'rejected')
    expect(JSON.stringify(gateway.standings)).not.toContain('wrong-one')
  })

  it('is rejected where the server takes no password of an account', async () => {
    const { server, gateway } = await started({ caps: 'multi-prefix' }, { password: 'a-secret' })
    await until('it to be rejected', () => gateway.standings.at(-1)?.type === 'rejected')
    expect(server.heard.join()).not.toContain('AUTHENTICATE')
  })

  it('sends no password to another computer without TLS', async () => {
    const { server, gateway } = await started(
      { caps: 'sasl' },
      { password: 'a-secret' },
      { host: '192.0.2.1' },
    )
    await until('it to be rejected', () => gateway.standings.at(-1)?.type === 'rejected')
    expect(server.heard).toEqual([])
  })

  it('takes a name beside its own where somebody has that, and hears who speaks to it', async () => {
    const { server, gateway } = await started({ takenNicks: ['helper'] }, {}, { channels: ['#Kitchen'] })
    await gateway.connected()
    expect(gateway.standings.at(-1)).toMatchObject({ account: { name: 'helper_' } })
    server.says(':ana!a@h PRIVMSG #kitchen :helper: you are another')
    server.says(':ana!a@h PRIVMSG #kitchen :helper_: hello')
    const [other, ours] = await heard(gateway, 2)
    expect(other).toMatchObject({ addressed: false, text: 'helper: you are another' })
    expect(ours).toMatchObject({ addressed: true, text: 'hello' })
  })

  it('hears what people say, and neither what programs ask nor what is too long for a line', async () => {
    const { server, gateway } = await started({})
    await gateway.connected()
    server.says(':ana!a@h PRIVMSG helper :\u0001VERSION\u0001')
    server.says(':ana!a@h NOTICE helper :never answer this')
    server.says(':irc.test PRIVMSG helper :a server is nobody')
    server.says(':ana!a@h PRIVMSG #elsewhere :not there')
    server.says(`:ana!a@h PRIVMSG helper :${'x'.repeat(100_000)}`)
    server.saysBytes(Buffer.from(':ana!a@h PRIVMSG helper :caf\xe9\r\n', 'latin1'))
    server.says(':ana!a@h PRIVMSG helper :\u0001ACTION waves\u0001')
    expect((await heard(gateway, 2)).map(({ text }) => text)).toEqual(['café', 'waves'])
    expect(server.heard.join()).not.toContain('VERSION')
  })
})

describe('IRC with nicknames that are lent', () => {
  it('says nothing to whoever took the nickname of somebody else', async () => {
    const server = await startNgircd()
    const ana = await ircPerson(server.port, server.password, 'ana')
    const settings = { host: '127.0.0.1', port: server.port, tls: false, nick: 'helper', pauseMs: 0 }
    const secrets = { serverPassword: server.password }
    const gateway = createTestGateway({ adapter: ircAdapter, settings, secrets, patienceMs })
    gateway.start()
    await gateway.connected()
    const message = {
      key: 'k',
      thread: null,
      text: 'for ana only',
      format: 'plain' as const,
      buttons: [],
      file: null,
    }
    expect((await gateway.send({ ...message, chat: 'ana!~somebody@elsewhere' })).kind).toBe('refused')
    expect((await gateway.send({ ...message, chat: ana.mask })).kind).toBe('sent')
    await until('it to be heard', () => ana.heard.length > 0)
    expect(ana.heard.map(({ text }) => text)).toEqual(['for ana only'])
    await gateway.stop()
    await ana.close()
    await server.close()
  })
})

it('speaks by TLS to whom a known certificate belongs, and to nobody else', async () => {
  const ends: (() => Promise<void>)[] = []
  const certificate = certificateFor('localhost', ends)
  const server = await startNgircd({ certificate })
  const settings = { host: 'localhost', port: server.tlsPort, nick: 'helper' }
  const secrets = { serverPassword: server.password }
  const gateway = createTestGateway({ adapter: ircAdapter, settings, secrets, patienceMs })
  gateway.start()
  await until('it to be refused', () => gateway.standings.at(-1)?.type === 'disconnected')
  expect(gateway.standings.at(-1)).toMatchObject({ problem: expect.stringMatching(/certificate/) })
  await gateway.stop()
  const before = getCACertificates('default')
  setDefaultCACertificates([...before, readFileSync(certificate.chain, 'utf8')])
  gateway.start()
  await gateway.connected()
  setDefaultCACertificates(before)
  await gateway.stop()
  await server.close()
  for (const end of ends) await end()
})

it('writes a few lines at once, and then one after the other', async () => {
  const pace = createPace(30, new AbortController().signal)
  const began = performance.now()
  await pace.wait(4)
  await pace.wait(3)
  expect(performance.now() - began).toBeGreaterThanOrEqual(85)
})
