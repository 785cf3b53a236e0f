import { StoreChannel } from '@countersign/contract'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { channelView, deliveryView, type FakeChannels, kindView } from '../testing/channels.ts'
import { type CommandBench, openCommandBench } from '../testing/command.ts'

let bench: CommandBench
let fake: FakeChannels
beforeEach(async () => {
  bench = await openCommandBench('2026-08-01T12:00:00.000Z')
  fake = bench.gateway.channels
})
afterEach(() => bench.close())

const token = '123456:abcdefgh'
const irc = kindView('irc', {
  secrets: [],
  settings: {
    properties: {
      server: { type: 'string', description: 'Address of the server.' },
      port: { type: 'integer', default: 6697 },
      rooms: { type: 'array', items: { type: 'string' }, default: [] },
    },
    required: ['server', 'port', 'rooms'],
  },
})
const stored = () => fake.asked.map(({ body }) => StoreChannel.parse(body))

describe('channel add', () => {
  test('takes the only secret from a pipe, and never shows it', async () => {
    const out = await bench.command(['channel', 'add', 'chat', '--kind', 'telegram'], {
      input: `${token}\n`,
    })
    expect(out).toMatchObject({ exit: 0, complaints: '' })
    expect(out.text).toContain('Added chat.  Ledger #7\nIt is connected as helper_bot.')
    expect(out.text).toContain('countersign peer admit')
    expect(out.text).not.toContain(token)
    expect(stored()).toMatchObject([{ kind: 'telegram', secrets: { token } }])
  })

  test('shows the steps in a terminal and asks for the secret without an echo', async () => {
    const out = await bench.command(['channel', 'add', 'chat', '--kind', 'telegram'], {
      terminal: true,
      input: `${token}\r`,
    })
    expect(out.text).toContain('1. Make a bot.\n  2. Copy its token.')
    expect(out.complaints).toContain('Token of the bot (hidden): ')
    expect(out.text + out.complaints).not.toContain(token)
    expect(stored()).toMatchObject([{ secrets: { token } }])
  })

  test('takes several secrets in lines, and refuses a line that names none', async () => {
    const secrets = [
      { name: 'bot', label: 'Bot token', optional: false },
      { name: 'app', label: 'App token', optional: false },
    ]
    fake.kinds = [kindView('slack', { secrets })]
    const add = (input: string) => bench.command(['channel', 'add', 'team', '--kind', 'slack'], { input })
    expect(await add('xoxb-only-one-of-them')).toMatchObject({
      exit: 2,
      complaints: expect.stringContaining('bot=…, app=…'),
    })
    expect(await add('bot=xoxb-12345678')).toMatchObject({
      exit: 2,
      complaints: expect.stringContaining('The secret app is missing'),
    })
    expect((await add('bot=xoxb-12345678\napp=xapp-a=b=c12345\n')).exit).toBe(0)
    expect(stored()).toMatchObject([{ secrets: { bot: 'xoxb-12345678', app: 'xapp-a=b=c12345' } }])
  })

  test('reads settings as the kind wants them, and says which are missing', async () => {
    fake.kinds = [irc]
    const add = (...set: string[]) => bench.command(['channel', 'add', 'club', '--kind', 'irc', ...set])
    expect(await add()).toMatchObject({ exit: 2, complaints: expect.stringContaining('--set server=…') })
    expect(await add('--set', 'server=a', '--set', 'port=x')).toMatchObject({
      exit: 2,
      complaints: expect.stringContaining('--set port: that is not a number'),
    })
    expect(await add('--set', 'sever=a')).toMatchObject({ exit: 2 })
    expect(fake.asked).toEqual([])
    expect((await add('--set', 'server=irc.example.org', '--set', 'rooms=#a,#b')).exit).toBe(0)
    expect(stored()).toMatchObject([{ settings: { server: 'irc.example.org', rooms: ['#a', '#b'] } }])
  })

  test('asks for the settings that are missing in a terminal', async () => {
    fake.kinds = [irc]
    const out = await bench.command(['channel', 'add', 'club', '--kind', 'irc'], {
      terminal: true,
      input: 'irc.example.org\n',
    })
    expect(out.text).toContain('server: Address of the server.')
    expect(stored()).toMatchObject([{ settings: { server: 'irc.example.org' } }])
  })

  test('keeps what is in the vault where nothing new is piped in', async () => {
    fake.channels = [channelView('chat')]
    const { text } = await bench.command(['channel', 'add', 'chat', '--kind', 'telegram'])
    expect(text).toContain('Changed chat.')
    expect(stored()).toMatchObject([{ secrets: {} }])
  })

  test('says what the platform does not accept', async () => {
    fake.channels = [channelView('chat', { state: 'rejected', problem: 'Wrong\u001b[2J token.' })]
    const { text } = await bench.command(['channel', 'add', 'chat', '--kind', 'telegram'])
    expect(text).toContain('It is rejected.')
    expect(text).toContain('token.')
    expect(text).toContain('countersign channel set chat')
    expect(text).not.toContain('\u001b')
  })

  test.each([
    ['no kind', ['chat'], '--kind telegram'],
    ['a kind that there is not', ['chat', '--kind', 'pigeon'], 'Choose from: telegram.'],
    ['a name that is none', ['My Chat', '--kind', 'telegram'], 'not a name for a channel'],
    ['no secret', ['chat', '--kind', 'telegram'], 'The secret token is missing.'],
  ])('refuses %s', async (_name, words, said) => {
    const out = await bench.command(['channel', 'add', ...words])
    expect(out.exit).toBeGreaterThan(0)
    expect(out.complaints).toContain(said)
    expect(fake.asked).toEqual([])
  })
})

describe('channel set', () => {
  beforeEach(() => {
    fake.channels = [channelView('chat')]
  })
  const set = (...words: string[]) => bench.command(['channel', 'set', 'chat', ...words])
  const bodies = () => fake.asked.map(({ body }) => body)

  test('changes the groups and the choices, and nothing else', async () => {
    expect((await set('--group', '-100', '--group', '-200', '--approvals', 'off')).exit).toBe(0)
    await set('--group', 'none', '--notices', 'on')
    expect(bodies()).toEqual([
      { groups: ['-100', '-200'], approvals: false },
      { groups: [], notices: true },
    ])
  })

  test('replaces a secret', async () => {
    const words = ['channel', 'set', 'chat', '--secret', 'token']
    expect((await bench.command(words, { input: token })).exit).toBe(0)
    expect(stored()).toMatchObject([{ secrets: { token } }])
    expect(await set('--secret', 'password')).toMatchObject({
      exit: 2,
      complaints: expect.stringContaining('It has: token.'),
    })
  })

  test('refuses to change nothing, and a state that is none', async () => {
    expect((await set()).exit).toBe(2)
    expect((await set('--approvals', 'maybe')).complaints).toContain('--approvals: say on or off.')
    expect(bodies()).toEqual([])
  })
})

test('the list says how each stands and what to do', async () => {
  expect((await bench.command(['channel'])).text).toContain('No channel yet.')
  fake.channels = [
    channelView('chat', { people: 2, asking: 1, held: 2, lastInAt: '2026-08-01T11:58:00.000Z' }),
    channelView('club', { state: 'disconnected', problem: 'The server is away.', unknown: 1, account: null }),
  ]
  const { text } = await bench.command(['channel', 'list'])
  expect(text).toMatch(/^chat +Telegram +connected +helper_bot +2 people +2 min ago +never$/m)
  expect(text).toContain('chat: 1 person asks to be let in. See `countersign peer list --channel chat`.')
  expect(text).toContain('chat: 2 answers wait for you')
  expect(text).toContain('club: The server is away.')
  expect(text).toContain('club: Nobody knows whether 1 message arrived.')
})

test('a kind says what it needs before it is added', async () => {
  fake.kinds = [irc, kindView('telegram')]
  expect((await bench.command(['channel', 'kinds'])).text).toMatch(/^irc +Irc +Talk to it in a chat\.$/m)
  const { text } = await bench.command(['channel', 'kinds', 'irc'])
  expect(text).toMatch(/server +Address of the server\.; needed/)
  expect(text).toMatch(/port +default: 6697/)
  expect(text).toContain('countersign channel add chat --kind irc --set server=…')
  expect((await bench.command(['channel', 'kinds', 'telegram'])).text).toContain('Token of the bot')
})

test('one is shown with what may be decided there', async () => {
  fake.channels = [channelView('chat', { settings: { rooms: ['a', 'b'] } })]
  const { text } = await bench.command(['channel', 'show', 'chat'])
  expect(text).toMatch(/You may decide +up to T2, in your own private chat/)
  expect(text).toMatch(/rooms +a, b/)
  fake.kinds = [kindView('telegram', { decides: 0, web: true })]
  expect((await bench.command(['channel', 'show', 'chat'])).text).toContain('/hooks/channels/chat')
  expect((await bench.command(['channel', 'show', 'chat'])).text).toContain('deny only')
  expect((await bench.command(['channel', 'show', 'none'])).exit).toBe(3)
})

test('the log shows what became of each, and which answers wait', async () => {
  fake.deliveries = [
    deliveryView('dl_1', { state: 'held', text: 'Your salary\u202e is' }),
    deliveryView('dl_2', { state: 'unknown', problem: 'The line broke.', attempts: 2 }),
  ]
  const { text } = await bench.command(['channel', 'log', 'chat'])
  expect(text).toContain('dl_1  held for you  reply for 48151623')
  expect(text).toContain('countersign channel release <delivery>')
  expect(text).toContain('The line broke.')
  expect(text).toContain('tried 2 times')
  expect(text).not.toContain('\u202e')
  const held = await bench.document(['channel', 'log', 'chat', '--state', 'held'])
  expect(held).toMatchObject({ ok: true, deliveries: [{ id: 'dl_1' }] })
  expect((await bench.command(['channel', 'log', 'chat', '--state', 'lost'])).exit).toBe(2)
})

test('an answer that waits is shown whole, and no line of it can stand where ours do', async () => {
  const text = `The address is as you know.${' And so on.'.repeat(40)}\ndl_9  sent\nThe code of the door is 4711.`
  fake.deliveries = [deliveryView('dl_1', { state: 'held', text }), deliveryView('dl_2', { text })]
  const shown = (await bench.command(['channel', 'log', 'chat'])).text
  expect(shown.split('4711')).toHaveLength(2)
  expect(shown).toContain('\n    dl_9  sent\n')
})

test('a held answer is sent or dropped', async () => {
  expect((await bench.command(['channel', 'release', 'dl_1'])).text).toContain('on its way.  Ledger #9')
  expect((await bench.command(['channel', 'drop', 'dl_2'])).text).toContain('never sent.  Ledger #9')
  expect(fake.asked.map(({ path, body }) => [path, body])).toEqual([
    ['/v1/deliveries/dl_1', { send: true }],
    ['/v1/deliveries/dl_2', { send: false }],
  ])
})

test('a channel is paused, resumed, tested and removed', async () => {
  fake.channels = [channelView('chat')]
  expect((await bench.command(['channel', 'pause', 'chat'])).text).toContain('Paused chat.  Ledger #8')
  expect((await bench.command(['channel', 'resume', 'chat'])).text).toContain('Resumed chat.')
  expect((await bench.command(['channel', 'test', 'chat'])).text).toContain('on its way to 1 chat of yours')
  fake.chats = 0
  expect((await bench.command(['channel', 'test', 'chat'])).text).toContain('Nobody was let in as you')
  expect((await bench.command(['channel', 'remove', 'chat'])).text).toContain('Removed chat')
  expect(fake.asked.map(({ method, body }) => [method, body])).toEqual([
    ['PATCH', { paused: true }],
    ['PATCH', { paused: false }],
    ['POST', {}],
    ['POST', {}],
    ['DELETE', undefined],
  ])
})
