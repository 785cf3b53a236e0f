/** A scripted ledger of twelve thousand entries that is asked as the real one is, by the contract's own query. */
import {
  actorGroup,
  type LedgerEntryDetail,
  type LedgerEntryView,
  type LedgerFacet,
  type LedgerPage,
  parseLedgerQuery,
  readyLedgerQuery,
} from '@countersign/contract'
import { id, minutes } from './ids.ts'
import type { ScriptedAnswer } from './scripted-answer.ts'

type Draft = Partial<LedgerEntryView> & Pick<LedgerEntryView, 'type' | 'sentence'>

const you = { kind: 'operator', id: 'laptop', name: 'laptop' } as const
const gatewayActor = { kind: 'gateway', id: 'gateway', name: 'gateway' } as const
const agentOf = (run: number, name: string) => ({ kind: 'agent', id: id('run', run), name }) as const
const mail = { tool: 'send_email', headline: 'Send 1 email to ana@kovac.example', tier: 3 } as const
const note = { tool: 'write_file', headline: 'Write books/2026-08.csv (4.1 KB)', tier: 1 } as const

/** One day of an assistant, over and over. */
const day: readonly Draft[] = [
  { type: 'schedule.started', sentence: 'The automation “Morning brief” started.' },
  {
    type: 'model.called',
    sentence: 'The model anthropic/claude-sonnet-4-5 was called for chat: ok, $0.01.',
    outcome: 'ok',
    data: { provider: 'anthropic', model: 'claude-sonnet-4-5', purpose: 'chat', nanos: 12_400_000 },
  },
  {
    type: 'input.admitted',
    sentence: 'You wrote “Book the August receipts and ask Ana for what is missing” on laptop.',
    actor: you,
    run: id('run', 1),
  },
  {
    ...note,
    type: 'effect.intended',
    sentence: 'The agent bookkeeper was permitted to write books/2026-08.csv (4.1 KB) with write_file.',
    actor: agentOf(1, 'bookkeeper'),
    run: id('run', 1),
    call: id('call', 1),
    effects: ['write', 'idempotent'],
    rules: ['base.inside'],
  },
  {
    ...note,
    type: 'effect.outcome',
    sentence: 'The agent bookkeeper used write_file: Wrote books/2026-08.csv, 61 lines.',
    actor: agentOf(1, 'bookkeeper'),
    run: id('run', 1),
    call: id('call', 1),
    outcome: 'ok',
    effects: ['write', 'idempotent'],
    data: {
      tool: 'write_file',
      tier: 1,
      result: 'ok',
      summary: 'Wrote books/2026-08.csv, 61 lines.',
      undoable: true,
    },
  },
  {
    ...mail,
    type: 'approval.requested',
    sentence:
      'The agent bookkeeper asked to send 1 email to ana@kovac.example with send_email (request K7Q2).',
    actor: agentOf(1, 'bookkeeper'),
    run: id('run', 1),
    call: id('call', 2),
    approval: id('apr', 1),
    rules: ['mail.new-recipient'],
    data: { code: 'K7Q2', tier: 3 },
  },
  {
    ...mail,
    type: 'approval.decided',
    sentence:
      'You approved the request K7Q2 to send 1 email to ana@kovac.example on laptop, sealed by the device.',
    actor: you,
    run: id('run', 1),
    call: id('call', 2),
    approval: id('apr', 1),
    outcome: 'approved',
    data: { code: 'K7Q2', verdict: 'approved', seal: 'device' },
  },
  {
    ...mail,
    type: 'effect.outcome',
    sentence:
      'The agent bookkeeper used send_email: Sent 1 email to ana@kovac.example, approved by you on laptop (K7Q2).',
    actor: agentOf(1, 'bookkeeper'),
    run: id('run', 1),
    call: id('call', 2),
    approval: id('apr', 1),
    outcome: 'ok',
    effects: ['send', 'once'],
    rules: ['mail.new-recipient'],
    data: {
      tool: 'send_email',
      tier: 3,
      result: 'ok',
      summary: 'Sent 1 email to ana@kovac.example',
      started: '2026-11-15T13:02:11.120Z',
      nonce: '5b0f…',
      undoable: false,
    },
  },
  {
    type: 'call.denied',
    sentence:
      'A rule denied http_request (POST https://paste.example/new): This host is never written to, whoever asks.',
    actor: agentOf(2, 'researcher'),
    run: id('run', 2),
    call: id('call', 3),
    tool: 'http_request',
    headline: 'POST https://paste.example/new',
    tier: 3,
    outcome: 'denied',
    effects: ['send'],
    rules: ['egress.never'],
    data: {
      tool: 'http_request',
      reason: 'This host is never written to, whoever asks.',
      rules: ['egress.never'],
    },
  },
  {
    type: 'effect.outcome',
    sentence: 'The agent researcher used fetch_page, which failed: docs.rs did not answer within 30 s.',
    actor: agentOf(2, 'researcher'),
    run: id('run', 2),
    call: id('call', 4),
    tool: 'fetch_page',
    headline: 'GET https://docs.rs/sqlx',
    tier: 2,
    outcome: 'failed',
    effects: ['fetch', 'pure'],
    data: { tool: 'fetch_page', tier: 2, result: 'failed', summary: 'docs.rs did not answer within 30 s' },
  },
  { type: 'run.ended', sentence: 'The run was completed.', run: id('run', 1), outcome: 'completed' },
  {
    type: 'grant.created',
    sentence: 'You created a grant: write_file in books/ for 30 days, at most 50 times on laptop.',
    actor: you,
  },
  { type: 'secret.rotated', sentence: 'You changed the value of the secret gmail on laptop.', actor: you },
]

const size = 12_043
const entries: readonly LedgerEntryView[] = Array.from({ length: size }, (_, at) => entryOf(size - at))

function entryOf(seq: number): LedgerEntryView {
  const draft = day[seq % day.length] as Draft
  return {
    seq,
    at: minutes(-(size - seq) * 3 - 2),
    actor: gatewayActor,
    tier: null,
    outcome: null,
    tool: null,
    effects: [],
    headline: null,
    run: null,
    session: draft.run === undefined ? null : id('ses', 1),
    call: null,
    approval: null,
    rules: [],
    hash: Array.from({ length: 8 }, (_, part) =>
      ((seq * 2_654_435_761 * (part + 3)) >>> 0).toString(16).padStart(8, '0'),
    ).join(''),
    data: {},
    signed: seq <= size - 4,
    ...draft,
  }
}

function page(search: URLSearchParams): LedgerPage {
  const { query } = parseLedgerQuery(search.get('q') ?? '')
  const { matches } = readyLedgerQuery(query, { now: new Date(), zone: undefined })
  const limit = Number(search.get('limit') ?? 100)
  const before = Number(search.get('before') ?? size + 1)
  const after = Number(search.get('after') ?? 0)
  const found = entries.filter((entry) => entry.seq < before && entry.seq > after && matches(entry))
  const shown = found.slice(0, limit)
  return {
    entries: shown,
    next: found.length > limit ? (shown.at(-1)?.seq ?? null) : null,
    size,
    looked: before - 1 - after,
    ...(search.get('facets') === 'yes' ? { facets: facetsOf(found) } : {}),
  }
}

function facetsOf(found: readonly LedgerEntryView[]): LedgerFacet[] {
  const counted = (
    field: LedgerFacet['field'],
    value: (entry: LedgerEntryView) => string | null,
  ): LedgerFacet => ({
    field,
    values: [...Map.groupBy(found, value)]
      .flatMap(([each, group]) => (each === null ? [] : [{ value: each, count: group.length }]))
      .toSorted((left, right) => right.count - left.count),
  })
  return [
    counted('actor', ({ actor }) => actorGroup(actor)),
    counted('tool', ({ tool }) => tool),
    counted('type', ({ type }) => type),
    counted('tier', ({ tier }) => (tier === null ? null : String(tier))),
    counted('outcome', ({ outcome }) => outcome),
  ]
}

function detail(seq: number): LedgerEntryDetail | undefined {
  const entry = entries.find((each) => each.seq === seq)
  if (entry === undefined) return undefined
  const { actor, at, data, type } = entry
  const checkpoint = {
    size: Math.min(size - 4, Math.ceil(seq / 256) * 256),
    at: minutes(-8),
    note: 'countersign/gw_1/op_1\n12039\nsx6f3l5vicjrLNZCM7nVZMZErh1DCYDAoynWT/UwcCM=\n\n— countersign/gw_1/op_1 UUzAG0d1…\n',
  }
  return {
    entry,
    body: JSON.stringify({ actor: { id: actor.id, kind: actor.kind }, at, data, seq, type, v: 1 }),
    exact: true,
    checkpoint: entry.signed ? checkpoint : null,
  }
}

const chain = [
  ['effect', 'Send 1 email to ana@kovac.example: done.', 0],
  ['permit', 'Your device sealed a single-use permit. It was spent.', 1],
  ['approval', 'Approval K7Q2 was approved by laptop.', 2],
  [
    'decision',
    'T3 visible to others or permanent. Writing to new people asks. By mail.cedar:12 (mail.new-recipient).',
    3,
  ],
  ['proposal', 'The model proposed send_email in turn 3.', 4],
  ['run', 'A run of the assistant, ended.', null],
  ['message', '“Book the August receipts and ask Ana for what is missing”', 5],
  ['person', 'You, the operator.', null],
] as const

export const ledgerAnswers: Readonly<Record<string, ScriptedAnswer>> = {
  'GET /v1/ledger': ({ search }) => page(search),
  'GET /v1/ledger/*': ({ parts }) => detail(Number(parts[2])),
  'GET /v1/ledger/witnesses': () => ({
    signed: size,
    witnesses: [
      {
        id: 'dev_1',
        kind: 'device',
        name: 'laptop',
        size,
        root: 'sx6f3l5vicjrLNZCM7nVZMZErh1DCYDAoynWT/UwcCM=',
        at: minutes(-2),
        key: null,
      },
    ],
    alarms: [],
  }),
  'GET /v1/ledger/verify': () => ({
    ok: true,
    size,
    signed: size,
    root: 'sx6f3l5vicjrLNZCM7nVZMZErh1DCYDAoynWT/UwcCM=',
    checkpoints: 49,
    key: 'countersign/gw_1/op_1+514cc01b+AbLFz0q3kq',
    problem: null,
  }),
  'GET /v1/why': ({ search }) => {
    const seq = Number((search.get('ref') ?? '').replace('#', ''))
    return {
      subject: search.get('ref'),
      chain: chain.map(([what, sentence, back]) => ({
        what,
        id: `${what}_1`,
        at: back === null ? null : minutes(-(size - seq) * 3 - back - 2),
        sentence,
        ledger: back === null ? null : seq - back,
      })),
    }
  },
}
