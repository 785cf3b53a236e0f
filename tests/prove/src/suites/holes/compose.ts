/**
 * Plays a gateway that was taken over: it composes a request whose card it chose itself, with hashes that fit, and has
 * it sealed by the code of the terminal, which checks what every terminal checks.
 */
import {
  type ApprovalDetail,
  type ApprovalSubject,
  type ApprovalView,
  buildWhat,
  type Card,
  canonicalText,
  idFrom,
  type JsonObject,
  type Permit,
  type ResolveReply,
  subjectText,
  whatText,
  whyText,
} from '@countersign/contract'
import { sha256Hex } from '@countersign/contract/node'
import { approvalVerdict, inspectApproval } from '../../../../../packages/cli/src/seal-approval.ts'
import {
  canonicalArgs,
  sealTestPermit,
  type TestHost,
} from '../../../../../packages/executor/src/testing/host.ts'

export interface Composition {
  readonly tool: string
  readonly args: JsonObject
  readonly at?: Date
  /** What is shown instead of the card of the call. */
  readonly card?: (honest: Card) => Card
  /** What is bound instead, before the hashes are made. */
  readonly subject?: (honest: ApprovalSubject) => ApprovalSubject
}

export interface ComposedApproval {
  readonly subject: ApprovalSubject
  readonly detail: ApprovalDetail
  readonly at: Date
}

export async function compose(
  host: TestHost,
  resolve: (tool: string, args: string) => Promise<ResolveReply>,
  { tool, args, at = new Date(), ...changes }: Composition,
): Promise<ComposedApproval> {
  const reply = await resolve(tool, canonicalArgs(host, tool, args))
  if (reply.kind !== 'resolved') throw new Error(`${tool}: ${reply.reason}`)
  const { subject: honest } = await sealTestPermit(host, { tool, args, at }, async () => reply)
  const facts = host.catalogue.find(tool)
  if (!facts) throw new Error(`There is no ${tool}.`)
  const bound: ApprovalSubject = {
    ...honest,
    decision: 'ask',
    approval: honest.approval ?? idFrom('apr', crypto.randomUUID()),
  }
  const shown: Card = {
    ...buildWhat(facts, honest.args, reply.resolution.effects),
    tier: honest.tier,
    chain: honest.chain,
    why: { reason: 'Asks: because.', rules: [], raised: [] },
  }
  const card = changes.card?.(shown) ?? shown
  const subject: ApprovalSubject = {
    ...(changes.subject?.(bound) ?? bound),
    what: sha256Hex(whatText(card)),
    why: sha256Hex(whyText(card)),
  }
  return { subject, detail: detailOf(subject, card), at }
}

/** Whether the terminal sees by itself that something is wrong. */
export function isNoticed(host: TestHost, { detail }: ComposedApproval): boolean {
  return inspectApproval(detail, host.identity).kind === 'unsound'
}

/** Undefined where the terminal notices it, and where no device has to seal it. */
export function sealAtTerminal(host: TestHost, composed: ComposedApproval): Permit | undefined {
  if (isNoticed(host, composed)) return undefined
  const { subject, detail, at } = composed
  const verdict = approvalVerdict({ detail, identity: host.identity, now: at })
  return verdict.seal === undefined ? undefined : { subject, seal: verdict.seal }
}

function detailOf(subject: ApprovalSubject, card: Card): ApprovalDetail {
  const approval: ApprovalView = {
    id: subject.approval ?? idFrom('apr', crypto.randomUUID()),
    code: 'K7Q2',
    state: 'pending',
    digest: sha256Hex(subjectText(subject)),
    card,
    asks: { en: { why: card.why.reason, stops: '' }, de: { why: card.why.reason, stops: '' } },
    agentSays: '',
    asked: [],
    replaces: null,
    options: [{ scope: 'once', sentence: 'Only this call' }],
    session: subject.session,
    run: subject.run,
    call: subject.call,
    createdAt: subject.createdAt,
    expiresAt: subject.notAfter,
    decidedAt: null,
    decidedBy: null,
    reason: null,
    receipt: null,
  }
  return {
    approval,
    subject: canonicalText(subject),
    tool: subject.tool.name,
    args: subject.args,
    schema: {},
    history: { approved: 0, denied: 0, lastAt: null },
    refusals: [],
  }
}
