/** Owns requests for tests, with a subject that is whole, and how they are made and decided without a kernel. */
import { randomUUIDv7 } from 'node:crypto'
import {
  type ApprovalSubject,
  canonicalText,
  idFrom,
  type OperatorId,
  operatorLabel,
} from '@countersign/contract'
import { generateKey, sha256Hex } from '@countersign/contract/node'
import type { AskOutlook } from '@countersign/policy'
import { type ApprovalRow } from '../approvals/approval-row.ts'
import { type Approvals, type ApprovalsOptions, createApprovals } from '../approvals/approvals.ts'
import { type ApprovalDraft } from '../approvals/requests.ts'
import { createPermits } from '../permits/permits.ts'
import type { RunRow } from '../store/run-row.ts'
import { madePage } from './made-resources.ts'
import type { MadeCall, MadeStore } from './made-store.ts'

/** A call of `fetch` at the boundary. */
export function madeSubject(
  { operator, session, run, call }: MadeCall,
  change: Partial<ApprovalSubject> = {},
): ApprovalSubject {
  const args = canonicalText({ page: call })
  const hash = sha256Hex('made')
  return {
    v: 2,
    audience: { executor: idFrom('exe', randomUUIDv7()), key: hash },
    gateway: { id: idFrom('gw', randomUUIDv7()), epoch: 1 },
    operator,
    tool: { name: 'fetch', version: '1', definition: hash, effect: 'once' },
    args,
    argsHash: sha256Hex(args),
    resources: [madePage('example.org')],
    sandbox: 'none',
    egress: 'none',
    secrets: [],
    hidden: [],
    own: [],
    provenance: operatorLabel,
    cause: 'go',
    session,
    run,
    call,
    turn: 1,
    agent: 'assistant',
    requester: { kind: 'operator', id: 'desk' },
    policy: hash,
    decision: 'ask',
    rules: ['boundary'],
    tier: 2,
    approvers: ['operator'],
    approval: idFrom('apr', randomUUIDv7()),
    grant: null,
    chain: [
      { kind: 'operator', id: 'desk', name: 'desk' },
      { kind: 'tool', id: 'fetch', name: 'fetch' },
    ],
    what: sha256Hex('what'),
    why: sha256Hex('why'),
    createdAt: '2026-11-15T10:00:00.000Z',
    notAfter: '2026-11-22T10:00:00.000Z',
    maxUses: 1,
    nonce: '0'.repeat(32),
    key: call,
    ...change,
  }
}

const everything: AskOutlook = {
  scopes: ['run', 'session', 'time'],
  stops: ['call', 'target', 'place', 'tool'],
  untrusted: { run: false, stops: [] },
  unread: 'asks',
}

export function madeDraft(subject: ApprovalSubject, change: Partial<ApprovalDraft> = {}): ApprovalDraft {
  const { args, tier, chain } = subject
  const preview = { kind: 'text' as const, title: 'fetch', text: args }
  const why = { reason: 'It leaves the machine.', rules: [], raised: [] }
  const card = { tool: 'fetch', args, headline: 'Fetch a page', preview, effects: [], tier, chain, why }
  return { subject, card, agentSays: 'Let me look.', replaces: null, offers: everything, ...change }
}

export interface MadeApprovals extends Approvals {
  /** Who was told that a request is decided, in order. */
  readonly freed: OperatorId[]
  readonly settled: { readonly approval: ApprovalRow; readonly run: RunRow }[]
  /** Records a request for the call. */
  ask(call: MadeCall, change?: Partial<ApprovalSubject>, draft?: Partial<ApprovalDraft>): Promise<ApprovalRow>
  /** What a request is by now. */
  row(of: Pick<ApprovalRow, 'operator_id' | 'id'>): Promise<ApprovalRow>
}

/** Seals hold unless the test says otherwise. */
export function madeApprovals(store: MadeStore, change: Partial<ApprovalsOptions> = {}): MadeApprovals {
  let codes = 0
  const freed: OperatorId[] = []
  const settled: MadeApprovals['settled'] = []
  const approvals = createApprovals({
    store,
    permits: createPermits({ gateway: 'gw_made', key: generateKey() }),
    clock: () => store.now,
    uuid: randomUUIDv7,
    random: (below) => Math.floor(codes++ / 4) % below,
    seals: { check: () => Promise.resolve(null), proves: () => Promise.resolve(false) },
    freed: (operator) => freed.push(operator),
    requestClosed: async (_unit, approval, run) => {
      settled.push({ approval, run })
    },
    ...change,
  })
  return {
    ...approvals,
    freed,
    settled,
    ask: (call, subject, draft) =>
      store.within(call.operator, (unit) =>
        approvals.request(unit, madeDraft(madeSubject(call, subject), draft)),
      ),
    row: (of) => approvals.find(of.operator_id, of.id),
  }
}
