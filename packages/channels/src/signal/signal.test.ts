import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { describeChannel } from '../testing/conformance.ts'
import { createTestGateway, type TestGateway, until as untilWithin } from '../testing/test-gateway.ts'
import { signalAdapter } from './adapter.ts'
import { styledText } from './styled-text.ts'
import { openSignalPlatform, ownAci, ownNumber, type SignalPlatform } from './testing/platform.ts'

describeChannel({
  adapter: signalAdapter,
  open: openSignalPlatform,
  without: {
    keeps: 'signal-cli takes no acknowledgement: what it has just written to a channel that dies is gone.',
    forwarded: 'Signal does not say that a message was passed on.',
    threads: 'Signal has none.',
    bots: 'Signal knows no programs.',
  },
})

const patienceMs = 20_000
const until = (what: string, isSo: () => boolean) => untilWithin(what, isSo, patienceMs)

describe('Signal', () => {
  let platform: SignalPlatform
  let gateway: TestGateway

  beforeAll(async () => {
    platform = await openSignalPlatform()
    gateway = open()
    gateway.start()
    await gateway.connected()
  })
  afterEach(() => gateway.judge(() => 'take'))
  afterAll(async () => {
    await gateway.stop()
    await platform.close()
  })

  function open(settings = {}): TestGateway {
    return createTestGateway({
      adapter: signalAdapter,
      settings: { ...platform.settings, ...settings },
      secrets: {},
      patienceMs,
    })
  }

  const texts = () => gateway.taken.flatMap((event) => (event.type === 'message' ? [event.text] : []))

  it('is known by its account id, and does not ask for it again', async () => {
    expect(gateway.standings.at(-1)).toMatchObject({ account: { id: ownAci, name: ownNumber } })
    const asked = () => platform.calls.filter(({ method }) => method === 'getUserStatus').length
    const before = asked()
    await gateway.stop()
    gateway.start()
    await gateway.connected()
    expect(asked()).toBe(before)
  })

  it('is rejected with an account that signal-cli does not have', async () => {
    const other = open({ account: '+385990000009' })
    other.start()
    await until('it to be rejected', () => other.standings.some(({ type }) => type === 'rejected'))
    await other.stop()
  })

  it('leaves at Signal what comes while it is away', async () => {
    const { people, chats } = platform
    await gateway.stop()
    await platform.says(people.ana, chats.ana, 'while you were away')
    expect(platform.daemon.waiting).toBe(1)
    gateway.start()
    await until('it to come', () => texts().includes('while you were away'))
  })

  it('gives after an orderly end and after a death what was refused before', async () => {
    const { people, chats } = platform
    gateway.judge((event) => (event.type === 'message' && event.text.startsWith('kept') ? 'refuse' : 'take'))
    for (const text of ['kept one', 'kept two']) await platform.says(people.ana, chats.ana, text)
    const isKept = (text: string) => () => gateway.state?.includes(text) ?? false
    await until('the second to be kept', isKept('kept two'))
    await gateway.die()
    gateway.start()
    await gateway.connected()
    await platform.says(people.ana, chats.ana, 'kept three')
    await until('the third to be kept', isKept('kept three'))
    await gateway.stop()
    gateway.judge(() => 'take')
    gateway.start()
    await until('the third to come', () => texts().includes('kept three'))
    expect(texts().filter((text) => text.startsWith('kept'))).toEqual(['kept one', 'kept two', 'kept three'])
    await until('nothing to be kept', () => !isKept('kept')())
  })

  it('leaves the rest at Signal when the gateway takes nothing', async () => {
    const { people, chats } = platform
    gateway.judge(() => 'refuse')
    const words = Array.from({ length: 120 }, (_, index) => `flood ${index}`)
    for (const [index, word] of words.entries()) {
      await platform.says(people.ana, chats.ana, word)
      if (index === 60) await until('signal-cli to be told to stop', () => platform.daemon.waiting > 0)
      else if (index < 60) await new Promise(setImmediate)
    }
    expect(platform.daemon.waiting).toBeGreaterThan(50)
    gateway.judge(() => 'take')
    await until('all to come', () => texts().includes('flood 119'))
    expect(texts().filter((text) => text.startsWith('flood'))).toEqual(words)
  })

  it('hears nothing in what is no message, and lives on after nonsense', async () => {
    const { daemon, people, chats, envelope } = platform
    const before = gateway.taken.length
    const silent = [
      { typingMessage: { action: 'STARTED', timestamp: 1 } },
      { receiptMessage: { when: 1, isDelivery: true, timestamps: [1] } },
      { syncMessage: { sentMessage: { destination: people.ben.id, timestamp: 1, message: 'to Ben' } } },
      { dataMessage: { timestamp: 5, message: null, reaction: { emoji: '👍' } } },
      { dataMessage: { timestamp: 'soon', message: 'x' } },
    ]
    for (const part of silent) daemon.deliver(ownNumber, envelope(people.ana, part))
    daemon.deliver(ownNumber, envelope({ id: ownAci, name: 'us' }, { dataMessage: { message: 'our own' } }))
    daemon.deliver(
      ownNumber,
      envelope({ id: '+385991', name: 'nobody' }, { dataMessage: { message: 'forged' } }),
    )
    daemon.raw('{"method":"receive"}\n{{{\n[]\n\n')
    daemon.raw(`{"method":"receive","params":"${'x'.repeat(50_000_000)}"}\n`)
    await platform.says(people.ana, chats.ana, 'still there')
    await until('it to come', () => texts().includes('still there'))
    expect(gateway.taken.length).toBe(before + 1)
  })

  it('shows whom else somebody mentioned', async () => {
    const { daemon, people, envelope } = platform
    const mentions = [
      { number: ownNumber, uuid: ownAci, start: 0, length: 1 },
      { number: '+385991', uuid: people.ben.id, start: 8, length: 1 },
    ]
    const dataMessage = { timestamp: 77, message: '\uFFFC: meet \uFFFC!', mentions }
    daemon.deliver(ownNumber, envelope(people.ana, { dataMessage }))
    await until('it to come', () => texts().includes('meet @+385991!'))
  })

  it('does not change what is older than a day', async () => {
    const { chats } = platform
    const change = {
      key: 'k',
      chat: chats.ana.id,
      thread: null,
      text: 'x',
      format: 'plain',
      buttons: [],
      file: null,
    } as const
    const old = `${ownAci}/${Date.now() - 25 * 60 * 60_000}`
    expect((await gateway.edit(old, { ...change, buttons: [] })).kind).toBe('refused')
  })
})

describe('Markdown on Signal', () => {
  it('is a text, and where it is styled', () => {
    const { text, styles } = styledText('# Hi 😀\n\n**bold** and `code`\n- *one*\n> said\n> twice')
    expect(text).toBe('Hi 😀\n\nbold and code\n- one\n> said\n> twice')
    const styled = styles.map((style) => {
      const [start, length, name] = style.split(':')
      return [name, text.slice(Number(start), Number(start) + Number(length))]
    })
    expect(styled).toEqual([
      ['BOLD', 'Hi 😀'],
      ['BOLD', 'bold'],
      ['MONOSPACE', 'code'],
      ['ITALIC', 'one'],
    ])
  })
})
