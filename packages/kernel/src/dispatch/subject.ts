/** Owns putting a subject and its card together: everything that an approval binds, and exactly what is shown. */
import {
  type ApprovalId,
  type ApprovalSubject,
  type Card,
  canonicalText,
  type Decision,
  forDisplay,
  type GatewayId,
  type Preview,
  type Resolution,
} from '@countersign/contract'
import { sha256Hex } from '@countersign/contract/node'
import type { Circumstances } from './assess.ts'
import type { CallRow } from './calls.ts'
import type { ExecutorPort } from './executor-port.ts'
import type { CanonicalCall } from './prepare.ts'

export interface SubjectParts {
  readonly call: CanonicalCall
  readonly row: Pick<CallRow, 'id' | 'turn' | 'attempt'>
  readonly resolution: Resolution
  readonly decision: Decision
  readonly circumstances: Circumstances
  readonly gateway: { readonly id: GatewayId; readonly epoch: number }
  readonly executor: ExecutorPort['identity']
  readonly policy: string
  readonly cause: string
  readonly approval: ApprovalId | null
  readonly now: Date
  readonly lifetimeMs: number
  readonly nonce: string
}

export function composeSubject(parts: SubjectParts): { subject: ApprovalSubject; card: Card } {
  const { call, row, resolution, decision, circumstances } = parts
  const card = cardOf(call, resolution, decision, circumstances)
  const subject: ApprovalSubject = {
    v: 1,
    audience: { executor: parts.executor.executor, key: parts.executor.key },
    gateway: parts.gateway,
    operator: circumstances.operator,
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
    provenance: circumstances.label,
    cause: parts.cause,
    session: circumstances.session,
    run: circumstances.run,
    call: row.id,
    turn: row.turn,
    agent: circumstances.agent,
    requester: circumstances.requester,
    policy: parts.policy,
    decision: decision.kind === 'allow' ? 'allow' : 'ask',
    rules: decision.rules.map((rule) => rule.id),
    tier: decision.tier,
    approvers: ['operator'],
    approval: parts.approval,
    grant: decision.grant ?? standingRule(decision),
    display: sha256Hex(canonicalText(card)),
    displayVersion: 1,
    createdAt: parts.now.toISOString(),
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

export function cardOf(
  call: CanonicalCall,
  resolution: Resolution,
  decision: Decision,
  circumstances: Circumstances,
): Card {
  return {
    headline: call.headline,
    tier: decision.tier,
    actors: ['you', 'assistant', circumstances.run, call.tool.name],
    preview: displayed(call.tool.preview(call.value)),
    effects: resolution.effects.map((effect) => ({
      ...effect,
      object: forDisplay(effect.object).text,
      leaves: effect.leaves.map((what) => forDisplay(what).text),
    })),
    why: {
      reason: decision.reason,
      rules: decision.rules,
      raised: decision.raised.map((clause) => forDisplay(clause).text),
    },
  }
}

/** Every string of a preview, made safe to look at and left whole. */
function displayed(preview: Preview): Preview {
  const safe = (text: string) => forDisplay(text, { multiline: true }).text
  switch (preview.kind) {
    case 'text':
      return { ...preview, title: safe(preview.title), text: safe(preview.text) }
    case 'shell':
      return { ...preview, command: safe(preview.command), cwd: safe(preview.cwd) }
    case 'http':
      return {
        ...preview,
        url: safe(preview.url),
        body: safe(preview.body),
        headers: preview.headers.map(([name, value]): [string, string] => [safe(name), safe(value)]),
      }
    case 'write':
      return { ...preview, path: safe(preview.path), content: safe(preview.content) }
    case 'code':
      return { ...preview, title: safe(preview.title), code: safe(preview.code) }
    case 'table':
      return {
        ...preview,
        title: safe(preview.title),
        columns: preview.columns.map(safe),
        rows: preview.rows.map((row) => row.map(safe)),
      }
  }
}
