/** Channels of the scripted gateway: one that works, one that does not, people, and what was sent. */
import { minutes } from './ids.ts'
import type { ScriptedAnswer } from './scripted-answer.ts'

const choices = { groups: [], approvals: true, notices: true, paused: false }
const limits = { tools: null, tier: 2, dailyUsd: 1, hours: null, messagesPerHour: 60 }
const quiet = {
  lastInAt: null,
  lastOutAt: null,
  people: 0,
  asking: 0,
  waiting: 0,
  unknown: 0,
  held: 0,
  aside: 0,
}

const channels = [
  {
    name: 'chat',
    kind: 'telegram',
    title: 'Telegram',
    settings: {},
    choices: { ...choices, groups: ['-1001234567890'] },
    state: 'connected',
    since: minutes(-4_000),
    problem: null,
    account: { id: '42', name: 'mira_helper_bot' },
    ...quiet,
    lastInAt: minutes(-3),
    lastOutAt: minutes(-2),
    people: 3,
    asking: 1,
    unknown: 1,
    held: 1,
  },
  {
    name: 'club',
    kind: 'irc',
    title: 'IRC',
    settings: { server: 'irc.example.org', port: 6697, rooms: ['#garden', '#chess'] },
    choices,
    state: 'rejected',
    since: minutes(-60),
    problem: 'The server does not accept the password.',
    account: null,
    ...quiet,
    lastOutAt: minutes(-90),
  },
  {
    name: 'phone',
    kind: 'ntfy',
    title: 'ntfy',
    settings: { server: 'https://ntfy.example.org', topic: 'mira' },
    choices: { ...choices, paused: true },
    state: 'paused',
    since: minutes(-600),
    problem: null,
    account: null,
    ...quiet,
  },
]

const kinds = [
  {
    kind: 'telegram',
    title: 'Telegram',
    about: 'Chat with a bot of your own.',
    steps: [
      'In Telegram, write /newbot to @BotFather, and give the bot a name.',
      'Copy the token that it answers with.',
    ],
    secrets: [{ name: 'token', label: 'Token of the bot', optional: false }],
    settings: { type: 'object', properties: {}, additionalProperties: false },
    direction: 'both',
    bindable: true,
    decides: 2,
    groups: true,
    web: false,
  },
  {
    kind: 'irc',
    title: 'IRC',
    about: 'Listen and answer in rooms of an IRC network.',
    steps: ['Register an account for the assistant, if the network has accounts.'],
    secrets: [{ name: 'password', label: 'Password of the account', optional: true }],
    settings: {
      type: 'object',
      properties: {
        server: { type: 'string', description: 'Address of the server.' },
        port: { type: 'integer', default: 6697 },
        rooms: { type: 'array', items: { type: 'string' }, default: [], description: 'Rooms to join.' },
        tls: { type: 'boolean', default: true },
        login: { type: 'string', enum: ['sasl', 'nickserv'], default: 'sasl' },
      },
      required: ['server'],
    },
    direction: 'both',
    bindable: false,
    decides: 0,
    groups: true,
    web: false,
  },
  {
    kind: 'ntfy',
    title: 'ntfy',
    about: 'Be told of notices on your phone.',
    steps: [],
    secrets: [{ name: 'token', label: 'Access token', optional: true }],
    settings: {
      type: 'object',
      properties: { server: { type: 'string', default: 'https://ntfy.sh' }, topic: { type: 'string' } },
      required: ['server', 'topic'],
    },
    direction: 'out',
    bindable: false,
    decides: 0,
    groups: false,
    web: false,
  },
]

const peer = (id: string, name: string, more: object) => ({
  channel: 'chat',
  peer: id,
  name,
  state: 'paired',
  role: 'guest',
  limits,
  askedAt: minutes(-9_000),
  pairedAt: minutes(-8_990),
  lastInAt: minutes(-30),
  ...more,
})

const peers = [
  peer('48151623', 'Mira', { role: 'operator', lastInAt: minutes(-3) }),
  peer('42108', 'Ana Kovač', { role: 'trusted' }),
  peer('99120044', 'A neighbour with a long name who writes now and then', {
    limits: {
      ...limits,
      tools: ['search_web', 'get_weather'],
      tier: 1,
      dailyUsd: 0.5,
      hours: { from: 8, to: 22 },
    },
  }),
  peer('666', 'Prize department', { state: 'blocked', role: null }),
  peer('77001', 'Jo', {
    state: 'asking',
    role: null,
    askedAt: minutes(-4),
    pairedAt: null,
    lastInAt: minutes(-4),
  }),
]

const delivery = (id: number, state: string, text: string, more: object = {}) => ({
  id: `dl_${String(id).padStart(32, '0')}`,
  channel: 'chat',
  chat: '42108',
  kind: 'reply',
  state,
  text,
  attempts: 1,
  problem: null,
  at: minutes(-id),
  sentAt: state === 'sent' ? minutes(-id) : null,
  ...more,
})

const deliveries = [
  delivery(2, 'sent', 'The receipts of August are filed. One is missing: Stripe.', { chat: '48151623' }),
  delivery(5, 'held', 'Mira is at the dentist at three, so tomorrow at ten would be better.'),
  delivery(9, 'waiting', 'Fetch api.stripe.com?\nT2 boundary', { kind: 'card', chat: '48151623' }),
  delivery(30, 'unknown', 'The recipe is in the shared folder.', {
    problem: 'The connection broke while it was being sent.',
    attempts: 2,
  }),
  delivery(300, 'refused', 'Good morning.', { problem: 'The person has blocked the bot.' }),
  delivery(600, 'expired', 'Reminder: water the tomatoes.', {
    kind: 'notice',
    problem: 'It was not sent in time.',
  }),
]

const receipt = { ok: true, ledger: 48_214 }
const stored = {
  channel: { name: 'chat', kind: 'telegram', settings: {}, choices },
  replaced: true,
  ledger: 48_214,
}

export const channelAnswers: Readonly<Record<string, ScriptedAnswer>> = {
  'GET /v1/channels': () => channels,
  'GET /v1/channel-kinds': () => kinds,
  'GET /v1/peers': () => peers,
  // Each look finds one more test that was sent.
  'GET /v1/channels/*/deliveries': ({ parts }) =>
    parts[2] === 'chat'
      ? [delivery(1, 'sent', 'This is a test.', { kind: 'test', id: `dl_${Date.now()}` }), ...deliveries]
      : [],
  'PUT /v1/channels/*': () => stored,
  'PATCH /v1/channels/*': () => stored,
  'DELETE /v1/channels/*': () => receipt,
  'POST /v1/channels/*/test': ({ parts }) => ({ chats: parts[2] === 'chat' ? 1 : 0 }),
  'POST /v1/deliveries/*': () => receipt,
  'POST /v1/peers': () => ({ peer: peers[4], ledger: 48_214 }),
  'PATCH /v1/peers': () => receipt,
}
