/** What the scripted gateway answers to each question. Every answer is parsed by the real client. */

import { approvals } from './approvals.ts'
import { channelAnswers } from './channels.ts'
import { extensionAnswers } from './extensions.ts'
import { id, minutes } from './ids.ts'
import { ledgerAnswers } from './ledger.ts'
import { nodeAnswers } from './nodes.ts'
import { onboardingAnswers } from './onboarding.ts'
import { oversightAnswers } from './oversight.ts'
import type { ScriptedAnswer } from './scripted-answer.ts'

const line = { calls: 12, undelivered: 0, input: 12_410, output: 680, cached: 8_000, reasoning: 0 }
const label = null
const sessions = [
  {
    id: id('ses', 1),
    title: 'August bookkeeping',
    createdAt: minutes(-5),
    updatedAt: minutes(-2),
    activeRun: id('run', 1),
    queued: 0,
    pinned: false,
    metadata: {},
    extraTools: [],
    private: false,
    hidden: false,
    model: null,
  },
  {
    id: id('ses', 2),
    title: 'Travel to Lisbon',
    createdAt: minutes(-60),
    updatedAt: minutes(-45),
    activeRun: id('run', 2),
    queued: 0,
    pinned: false,
    metadata: {},
    extraTools: [],
    private: false,
    hidden: false,
    model: null,
  },
  {
    id: id('ses', 3),
    title: 'Morning brief',
    createdAt: minutes(-300),
    updatedAt: minutes(-299),
    activeRun: null,
    queued: 0,
    pinned: false,
    metadata: {},
    extraTools: [],
    private: false,
    hidden: false,
    model: null,
  },
]

const tool = (name: string, category: string, floor: number, about: string, calls: number) => ({
  name,
  description: about,
  category,
  group: category,
  source: 'built in',
  enabled: name !== 'execute_shell',
  listed: true,
  floor,
  effect: floor === 0 ? 'pure' : 'idempotent',
  runs: 'executor',
  undo: floor === 1 ? 'restores the file as it was' : null,
  use: {
    calls,
    failures: Math.floor(calls / 40),
    medianMs: 320,
    lastAt: calls === 0 ? null : minutes(-calls),
    daily: Array.from({ length: 30 }, (_, day) => (calls * (day + 3)) % 7),
  },
})
const tools = [
  tool('read_file', 'files', 0, 'Reads a file of the workspace.', 214),
  tool('write_file', 'files', 1, 'Writes a file of the workspace. What was there can be restored.', 96),
  tool('http_request', 'web', 2, 'Makes one request to a host.', 41),
  tool('send_email', 'mail', 3, 'Sends one email.', 7),
  tool('execute_shell', 'system', 3, 'Runs a command in a sandbox.', 0),
]

const schedule = (number: number, name: string, words: string, status: string) => ({
  id: `sch_${number}`,
  name,
  trigger: { kind: 'cron', expression: '0 8 * * 1-5', zone: 'Europe/Vienna' },
  does: { kind: 'prompt', text: 'Send me a brief of the day.' },
  agent: 'assistant',
  goal: null,
  missed: 'once',
  most: 5,
  overlap: 'skip',
  success: 'A brief is in the feed.',
  onFailure: { feed: true, session: null },
  tierMax: 1,
  maxCostUsd: 0.05,
  quiet: null,
  status,
  version: 2,
  session: id('ses', 3),
  creator: { kind: 'operator', id: 'mira' },
  origins: [],
  words,
  next: status === 'paused' ? [] : [minutes(700), minutes(2140), minutes(3580)],
  last: ['succeeded', 'succeeded', 'missed', 'succeeded', 'failed', 'succeeded'],
  averageCostUsd: 0.021,
  look: null as object | null,
  label,
  createdAt: minutes(-40_000),
  updatedAt: minutes(-4_000),
})

const memory = (number: number, content: string, type: string, status = 'active') => ({
  id: `mem_${number.toString(16).padStart(32, '0')}`,
  version: 1,
  createdAt: minutes(-9_000 * number),
  updatedAt: minutes(-900 * number),
  label,
  content,
  type,
  importance: 0.6,
  tags: ['work'],
  status,
  source: { kind: 'said', session: id('ses', 1), excerpt: content.slice(0, 60) },
  goal: null,
  pinned: number === 1,
  uses: 12 - number,
  lastUsedAt: minutes(-number * 90),
  supersedes: null,
  supersededBy: null,
  confidence: 1,
})
const memories = [
  memory(1, 'Invoices are kept in ~/books, one folder for each month.', 'fact'),
  memory(2, 'Prefers short replies, without bullet points.', 'preference'),
  memory(3, 'The tax adviser is Ana Kovač; she answers on weekdays.', 'fact'),
  memory(4, 'Flies to Lisbon in the second week of September.', 'event', 'suggested'),
]

const goal = (number: number, title: string, status = 'active') => ({
  id: `goal_${number}`,
  version: 3,
  createdAt: minutes(-20_000),
  updatedAt: minutes(-30),
  label,
  title,
  description: 'Receipts of the month are filed, and what is missing is asked for.',
  priority: 6,
  status,
  progress: 60,
  limits: { tierMax: 2, moneyPerDayUsd: 0.5, hosts: ['api.stripe.com'] },
  notes: [],
  learnings: [
    { id: 'l1', text: 'Stripe invoices arrive on the third.', at: minutes(-4_000), by: 'assistant', label },
  ],
  session: id('ses', 1),
  held: status === 'paused',
  ownLabel: null,
  overdue: false,
})
const card = (number: number, title: string, column: string, status = 'active') => ({
  goal: goal(number, title, status),
  column,
  path: [],
  nextStep: 'Ask for the Stripe invoice',
  lastOutcome: { run: id('run', 3), at: minutes(-299), reason: 'completed', message: '9 receipts filed' },
  agentsRunning: column === 'active' ? 1 : 0,
  asks:
    column === 'waiting-on-you'
      ? [{ kind: 'approval', ref: 'K7Q2', text: 'Send 1 email to ana@kovac.example', run: id('run', 1) }]
      : [],
  spentTodayUsd: 0.12,
  moneyPerDayUsd: 0.5,
  tierMax: 2,
  stuckSince: null,
  heldBy: null,
})

const budget = (name: string, scope: string, period: string, limitUsd: number, spentUsd: number) => ({
  name,
  scope,
  subject: null,
  period,
  limitUsd,
  hard: true,
  spentUsd,
  reservedUsd: 0,
  extraUsd: 0,
  startsAgainAt: minutes(700),
  builtIn: scope === 'unattended',
})

export const answers: Readonly<Record<string, ScriptedAnswer>> = {
  'GET /v1/status': () => ({
    version: '0.1.0',
    gateway: id('gw', 1),
    operator: 'mira',
    pid: 4120,
    url: 'http://localhost:7347',
    startedAt: minutes(-2_900),
    slot: 0,
    autonomy: 'medium',
    policy: 'v14',
    asked: {
      technical: { week: 2, heldOut: 3 },
      office: { week: 1, heldOut: 2 },
      household: { week: 1, heldOut: 1 },
    },
    paused: null,
    held: null,
    database: { mode: 'embedded', ok: true, problem: null },
    executor: { ok: true, pid: 4121, sandbox: 'bubblewrap' },
    model: {
      provider: 'anthropic',
      model: 'claude-sonnet-5',
      ok: true,
      state: 'ok',
      since: null,
      problem: null,
    },
    ledger: { size: 48_211, signed: 48_200, writable: true, alarm: false },
    runs: { running: 0, parked: 2, queued: 0 },
    pending: { approvals: 4, questions: 0 },
    seq: 88_412,
    clients: 2,
    push: 0,
    disk: {
      free: 80_000_000_000,
      database: 20_000_000,
      events: 4_000_000,
      details: 6_000_000,
      ledger: 5_000_000,
      workspace: 1_000_000,
      executor: 300_000,
      logs: 200_000,
    },
  }),
  'GET /v1/sessions': () => sessions,
  'GET /v1/runs': () => [],
  'GET /v1/approvals': () => approvals(),
  'GET /v1/approvals/*': ({ parts }) => {
    const approval = approvals().find(({ id: own, code }) => own === parts[2] || code === parts[2])
    if (approval === undefined) return undefined
    return {
      approval,
      subject: '{}',
      tool: 'send_email',
      args: '{"to":"ana@kovac.example"}',
      schema: { type: 'object', properties: { to: { type: 'string' } } },
      history: { approved: 6, denied: 0, lastAt: minutes(-4_000) },
      refusals: [{ stop: 'tool', sentence: 'Refuses every call of send_email.' }],
    }
  },
  'GET /v1/questions': () => [],
  'GET /v1/grants': () => [],
  'GET /v1/costs': ({ search }) => ({
    from: search.get('from') ?? minutes(-43_200),
    to: minutes(0),
    total: { key: 'total', ...line, usd: search.has('from') ? 0.42 : 6.18 },
    beforeUsd: 5.2,
    unattendedUsd: 0.31,
    reservedUsd: 0,
    estimatedUsd: 0.02,
    adjustedUsd: 0,
    usdPerOutcome: 0.034,
    cacheHitRate: 0.64,
    group: search.get('by') ?? 'model',
    lines: [
      { key: 'anthropic/claude-sonnet-5', ...line, usd: 4.1 },
      { key: 'openai/gpt-6-mini', ...line, usd: 1.52 },
      { key: 'local/qwen', ...line, usd: 0 },
    ],
    guard: null,
  }),
  'GET /v1/costs/runs': () => [
    {
      run: id('run', 1),
      title: 'August bookkeeping',
      startedAt: minutes(-5),
      unattended: false,
      turns: 3,
      calls: 4,
      usd: 0.031,
      hint: null,
    },
    {
      run: id('run', 3),
      title: 'Morning brief',
      startedAt: minutes(-300),
      unattended: true,
      turns: 6,
      calls: 9,
      usd: 0.088,
      hint: 'It read 14 long emails.',
    },
  ],
  'GET /v1/costs/days': () => ({
    from: minutes(-43_200),
    to: minutes(0),
    group: 'model',
    days: Array.from({ length: 16 }, (_, day) => ({
      day: `2026-11-${String(day + 1).padStart(2, '0')}`,
      parts: [
        { key: 'anthropic/opus', calls: 4, usd: ((day * 7) % 5) / 4 },
        { key: 'openai/mini', calls: 9, usd: ((day * 3) % 4) / 9 },
      ],
    })),
  }),
  'GET /v1/costs/idle': () => ({ usd: 0, calls: 0, lines: [] }),
  'GET /v1/budgets': () => [
    budget('global:day', 'global', 'day', 2, 0.42),
    budget('global:month', 'global', 'month', 10, 6.18),
    budget('unattended:month', 'unattended', 'month', 1, 1),
  ],
  'GET /v1/tools': () => tools,
  'GET /v1/tool-groups': () =>
    ['files', 'web', 'mail', 'system'].map((name) => ({
      name,
      title: name[0]?.toUpperCase() + name.slice(1),
      about: `Everything about ${name}.`,
      enabled: name !== 'system',
      enabledAtFirst: true,
      needs: name === 'mail' ? 'an account' : null,
      tools: tools.filter((each) => each.group === name).map((each) => each.name),
    })),
  'GET /v1/tools/*': ({ parts }) => {
    const found = tools.find(({ name }) => name === parts[2])
    return (
      found && {
        ...found,
        version: '1',
        definition: 'd'.repeat(64),
        tags: ['files'],
        schema: {
          type: 'object',
          properties: { path: { type: 'string', description: 'Where' } },
          required: ['path'],
        },
        rate: { calls: 30, seconds: 60 },
      }
    )
  },
  'GET /v1/schedules': () => [
    schedule(1, 'Brief', 'every weekday at 8:00', 'active'),
    {
      ...schedule(2, 'Receipts', 'every day at 18:30', 'active'),
      last: ['succeeded', 'succeeded', 'failed'],
      next: [minutes(190), minutes(1_630)],
      tierMax: 2,
      averageCostUsd: null,
    },
    {
      ...schedule(4, 'Invoices', 'When an e-mail arrives in work, checked every 5 minutes', 'active'),
      trigger: { kind: 'mail', account: 'work', folder: 'INBOX', everyMinutes: 5 },
      next: [],
      look: { lookedAt: minutes(-3), problem: null, waiting: 2 },
    },
    schedule(3, 'Watch the price list', 'every 6 hours', 'paused'),
  ],
  'GET /v1/schedules/*/occurrences': ({ parts }) =>
    ['succeeded', 'missed', 'failed', 'succeeded'].map((state, index) => ({
      id: `occ_${index}`,
      schedule: parts[2],
      version: 2,
      cause: 'time',
      dueAt: minutes(-1_440 * (index + 1)),
      state,
      reason: state === 'missed' ? 'late' : 'none',
      because: state === 'missed' ? 'The gateway was not running at that time.' : 'It ran as it should.',
      session: id('ses', 3),
      run: state === 'missed' ? null : id('run', 3),
      endedAt: minutes(-1_440 * (index + 1) + 1),
      message: '',
      costUsd: state === 'missed' ? null : 0.021,
    })),
  'GET /v1/schedules/*': ({ parts }) =>
    schedule(Number(parts[2]?.slice(4)), 'Brief', 'every weekday at 8:00', 'active'),
  'GET /v1/memories': ({ search }) => ({
    items: memories.filter(({ status }) => status === (search.get('status') ?? 'active')),
    total: 3,
    limit: 50,
    offset: 0,
  }),
  'GET /v1/memory-suggestions': () => ({ items: memories.slice(3), total: 1, limit: 50, offset: 0 }),
  'GET /v1/search': () => ({ hits: [], wordsAlone: null }),
  'GET /v1/memory-search': ({ search }) =>
    memories
      .filter(({ content }) => content.toLowerCase().includes((search.get('q') ?? '').toLowerCase()))
      .map((found) => ({ memory: found, score: 0.8 })),
  'GET /v1/memories/*': ({ parts }) => {
    const found = memories.find(({ id: own }) => own === parts[2])
    return (
      found && {
        memory: found,
        used: [{ run: id('run', 1), session: id('ses', 1), tool: 'search_memory', at: minutes(-5) }],
        earlier: [],
      }
    )
  },
  'GET /v1/memory-stats': () => ({
    total: 4,
    status: { active: 3, suggested: 1, superseded: 0, rejected: 0 },
    type: { fact: 2, preference: 1, event: 0, skill: 0 },
    pinned: 1,
    unused: 0,
    newestAt: minutes(-900),
    oldestAt: minutes(-30_000),
  }),
  'GET /v1/memory-never': () => [{ id: 'never_1', words: 'health', createdAt: minutes(-9_000) }],
  'GET /v1/goal-board': () => ({
    columns: [
      { column: 'active', title: 'Active', cards: [card(2, 'Trip to Lisbon', 'active')] },
      {
        column: 'waiting-on-you',
        title: 'Waiting on you',
        cards: [card(1, 'Bookkeeping', 'waiting-on-you', 'waiting')],
      },
      { column: 'waiting-on-world', title: 'Waiting on world', cards: [] },
      { column: 'paused', title: 'Paused', cards: [card(3, 'Newsletter', 'paused', 'paused')] },
      { column: 'done', title: 'Done', cards: [] },
    ],
  }),
  'GET /v1/goals/*': ({ parts }) => ({
    card: card(Number(parts[2]?.slice(5)), 'Bookkeeping', 'waiting-on-you', 'waiting'),
    steps: [
      {
        id: 'st1',
        version: 1,
        createdAt: minutes(-900),
        updatedAt: minutes(-90),
        label,
        goalId: parts[2],
        title: 'Find the receipts',
        status: 'completed',
        order: 0,
        dependsOn: [],
        ready: false,
      },
      {
        id: 'st2',
        version: 1,
        createdAt: minutes(-900),
        updatedAt: minutes(-90),
        label,
        goalId: parts[2],
        title: 'Ask for the Stripe invoice',
        status: 'in_progress',
        order: 1,
        dependsOn: ['st1'],
        ready: true,
      },
      {
        id: 'st3',
        version: 1,
        createdAt: minutes(-900),
        updatedAt: minutes(-90),
        label,
        goalId: parts[2],
        title: 'Write the summary',
        status: 'pending',
        order: 2,
        dependsOn: ['st2'],
        ready: false,
      },
    ],
    subGoals: [],
    tasks: [],
  }),
  'GET /v1/feed': () => [],
  'GET /v1/devices': () => ({ devices: [], passkeys: [], origins: [], problems: [] }),
  ...ledgerAnswers,
  ...onboardingAnswers,
  ...oversightAnswers,
  ...channelAnswers,
  ...extensionAnswers,
  ...nodeAnswers,
  'POST /v1/pause': () => ({ ok: true, ledger: 48_212 }),
  'POST /v1/resume': () => ({ ok: true, ledger: 48_213 }),
}
