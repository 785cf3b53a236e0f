/** Builds records as a gateway would: the subject, the digest and the card fit each other. */
import { randomUUIDv7 } from 'node:crypto'
import {
  type ApprovalDetail,
  type ApprovalSubject,
  type AskedPer100,
  type CallId,
  type Card,
  canonicalText,
  idFrom,
  type RunId,
  type SessionId,
  type Status,
  type Tier,
  whatText,
  whyText,
} from '@countersign/contract'
import { digestOf, fingerprint, type HostIdentity, sha256Hex } from '@countersign/contract/node'

export interface ApprovalParts {
  readonly identity: HostIdentity
  readonly code: string
  readonly tier: Tier
  readonly session?: SessionId
  readonly run?: RunId
  readonly call?: CallId
  readonly now?: Date
  readonly card?: Partial<Card>
  readonly agentSays?: string
}

export const newId = <Prefix extends Parameters<typeof idFrom>[0]>(prefix: Prefix) =>
  idFrom(prefix, randomUUIDv7())

export function approvalDetail(parts: ApprovalParts): ApprovalDetail {
  const { trust } = parts.identity
  const now = parts.now ?? new Date()
  const approval = newId('apr')
  const session = parts.session ?? newId('ses')
  const run = parts.run ?? newId('run')
  const call = parts.call ?? newId('call')
  const expiresAt = new Date(now.getTime() + 30 * 60_000).toISOString()
  const args = canonicalText({ url: 'https://api.example/v1/invoices', method: 'POST', body: '{"to":"ana"}' })
  const card: Card = { ...exampleCard(parts.tier, run, trust.operator, args), ...parts.card }
  const subject: ApprovalSubject = {
    v: 2,
    audience: { executor: trust.executor.id, key: fingerprint(trust.executor.key) },
    gateway: { id: trust.gateway.id, epoch: 1 },
    operator: trust.operator,
    tool: { name: 'http_request', version: '1', definition: 'a'.repeat(64), effect: 'once' },
    args,
    argsHash: sha256Hex(args),
    resources: [],
    sandbox: 'none',
    egress: 'named',
    secrets: [],
    hidden: [],
    own: [],
    provenance: { integrity: 'operator', confidentiality: 'public', sources: [] },
    cause: 'message',
    session,
    run,
    call,
    turn: 1,
    agent: 'assistant',
    requester: { kind: 'operator', id: trust.operator },
    policy: 'b'.repeat(64),
    decision: 'ask',
    rules: ['egress.new-host'],
    tier: parts.tier,
    approvers: ['operator'],
    approval,
    grant: null,
    chain: card.chain,
    what: sha256Hex(whatText(card)),
    why: sha256Hex(whyText(card)),
    createdAt: now.toISOString(),
    notAfter: expiresAt,
    maxUses: 1,
    nonce: 'c'.repeat(32),
    key: `${call}/1`,
  }
  const scopes = parts.tier <= 2 ? (['once', 'run', 'session', 'time', 'rule'] as const) : (['once'] as const)
  return {
    subject: canonicalText(subject),
    tool: subject.tool.name,
    args: subject.args,
    schema: {},
    history: { approved: 0, denied: 0, lastAt: null },
    refusals: [],
    approval: {
      id: approval,
      code: parts.code,
      state: 'pending',
      digest: digestOf(subject),
      card,
      asks: {
        en: {
          why: 'Asks because it reaches another host.',
          stops: 'Nothing that you can allow in advance covers it.',
        },
        de: { why: 'Fragt.', stops: 'Nichts.' },
      },
      agentSays: parts.agentSays ?? 'Ana handles invoices.',
      asked: [],
      replaces: null,
      options: scopes.map((scope) => ({ scope, sentence: `http_request ${scope}` })),
      session,
      run,
      call,
      createdAt: now.toISOString(),
      expiresAt,
      decidedAt: null,
      decidedBy: null,
      reason: null,
      receipt: null,
    },
  }
}

function exampleCard(tier: Tier, run: RunId, operator: string, args: string): Card {
  return {
    tool: 'http_request',
    args,
    headline: 'POST https://api.example/v1/invoices',
    tier,
    chain: [
      { kind: 'operator', id: operator, name: 'laptop' },
      { kind: 'agent', id: 'assistant', name: 'Assistant' },
      { kind: 'run', id: run, name: run },
      { kind: 'tool', id: 'http_request', name: 'http_request' },
    ],
    preview: {
      kind: 'http',
      method: 'POST',
      url: 'https://api.example/v1/invoices',
      headers: [['content-type', 'application/json']],
      body: '{"to":"ana"}',
    },
    effects: [
      {
        verb: 'send',
        object: 'https://api.example',
        scope: 'boundary',
        reversible: false,
        outward: true,
        leaves: ['the body, 12 bytes'],
      },
    ],
    why: {
      reason: 'A new host is contacted.',
      rules: [{ id: 'egress.new-host', file: 'base.cedar', line: 12, why: 'ask before the first contact' }],
      raised: ['text came from a web page'],
    },
  }
}

/** What a run says besides its state, of one that did nothing yet. */
export const plainRun = {
  asked: '',
  agent: 'assistant',
  goal: null,
  schedule: null,
  tools: [] as string[],
  calls: 0,
  callsWaiting: 0,
  detailsRemovedAt: null,
  problems: 0,
  undoable: 0,
  undone: 0,
  tier: null,
  costUsd: 0,
  waitedMs: 0,
}

export const plainAsked: AskedPer100 = {
  technical: { week: 21.4, heldOut: 22.5 },
  office: { week: 12, heldOut: 13.1 },
  household: { week: 9.6, heldOut: 8 },
}

/** Of a host with room: details, ledger and events are what grows most. */
export const plainDisk: Status['disk'] = {
  free: 80_000_000_000,
  database: 20_000_000,
  events: 4_000_000,
  details: 6_000_000,
  ledger: 5_000_000,
  workspace: 1_000_000,
  executor: 300_000,
  logs: 200_000,
}
