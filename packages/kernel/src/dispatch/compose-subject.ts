/** Owns putting a subject and its card together: everything that an approval binds, and exactly what is shown. */
import {
  type ApprovalId,
  type ApprovalSubject,
  buildWhat,
  type Card,
  type Chain,
  type Decision,
  forDisplay,
  type GatewayId,
  type Resolution,
  whatText,
  whyText,
} from '@countersign/contract'
import { sha256Hex } from '@countersign/contract/node'
import type { Audience } from './audience.ts'
import type { CallRow } from './call-rows.ts'
import type { CanonicalCall } from './canonicalize.ts'
import type { CallContext } from './classify-and-decide.ts'

export interface SubjectParts {
  readonly call: CanonicalCall
  readonly row: Pick<CallRow, 'id' | 'turn' | 'attempt'>
  readonly resolution: Resolution
  /** What it must not see of what strangers wrote. */
  readonly unseen: Pick<ApprovalSubject, 'hidden' | 'own'>
  readonly decision: Decision
  readonly context: CallContext
  readonly gateway: { readonly id: GatewayId; readonly epoch: number }
  readonly audience: Audience
  readonly policy: string
  readonly cause: string
  readonly chain: Chain
  readonly approval: ApprovalId | null
  /** When its resources were looked at. */
  readonly asked: Date
  readonly now: Date
  readonly lifetimeMs: number
  readonly nonce: string
}

export function composeSubject(parts: SubjectParts): { subject: ApprovalSubject; card: Card } {
  const { call, row, resolution, decision, context } = parts
  const card = cardOf(call, resolution, decision, parts.chain)
  const subject: ApprovalSubject = {
    v: 2,
    audience: { executor: parts.audience.executor, key: parts.audience.key },
    gateway: parts.gateway,
    operator: context.operator,
    tool: {
      name: call.tool.name,
      version: call.tool.version,
      definition: call.tool.definition,
      effect: call.tool.effect,
    },
    args: call.args,
    argsHash: sha256Hex(call.args),
    resources: resolution.resources,
    sandbox: resolution.sandbox,
    egress: resolution.egress,
    secrets: resolution.secrets,
    ...parts.unseen,
    provenance: context.label,
    cause: parts.cause,
    session: context.session,
    run: context.run,
    call: row.id,
    turn: row.turn,
    agent: context.agent,
    requester: context.requester,
    policy: parts.policy,
    decision: decision.kind === 'allow' ? 'allow' : 'ask',
    rules: decision.rules.map((rule) => rule.id),
    tier: decision.tier,
    approvers: ['operator'],
    approval: parts.approval,
    grant: decision.grant ?? standingRule(decision),
    chain: parts.chain,
    what: sha256Hex(whatText(card)),
    why: sha256Hex(whyText(card)),
    createdAt: parts.asked.toISOString(),
    notAfter: new Date(parts.now.getTime() + parts.lifetimeMs).toISOString(),
    maxUses: 1,
    nonce: parts.nonce,
    key: `${row.id}/${row.attempt}`,
  }
  return { subject, card }
}

/** A rule that lets a boundary call through without asking is a standing grant of the operator, and is named as one. */
function standingRule(decision: Decision): string | null {
  if (decision.kind !== 'allow' || decision.tier !== 2) return null
  return `rule:${decision.rules[0]?.id ?? ''}`
}

export function cardOf(call: CanonicalCall, resolution: Resolution, decision: Decision, chain: Chain): Card {
  return {
    ...buildWhat(call.tool, call.args, resolution.effects),
    tier: decision.tier,
    chain,
    why: {
      reason: decision.reason,
      rules: decision.rules,
      raised: decision.raised.map((clause) => forDisplay(clause).text),
    },
  }
}
