/** Owns looking at a call without making it: what it would touch, its tier, what policy says, and the card. */
import {
  type Card,
  type Chain,
  type ChainLink,
  idFrom,
  type OperatorId,
  operatorLabel,
  type Resolution,
} from '@countersign/contract'
import { canonicalize, type ProposedCall, type SingleCanonicalResult } from './canonicalize.ts'
import { classifyAndDecide } from './classify-and-decide.ts'
import { cardOf } from './compose-subject.ts'
import type { DispatchPorts } from './dispatch-ports.ts'

export type DryRunResult =
  | {
      readonly kind: 'judged'
      readonly decision: 'allow' | 'ask' | 'deny'
      readonly card: Card
      readonly resources: Resolution['resources']
      readonly sandbox: string
      readonly egress: string
      readonly secrets: Resolution['secrets']
    }
  | { readonly kind: 'impossible'; readonly reason: string }

/** As if the operator had asked for it just now, in a conversation without a past. One answer for each inner call. */
export async function dryRunCall(
  operator: OperatorId,
  proposed: ProposedCall,
  ports: DispatchPorts,
): Promise<DryRunResult[]> {
  const catalogue = await ports.tools.open(operator)
  const canonicalized = canonicalize(proposed, catalogue)
  const calls: readonly SingleCanonicalResult[] =
    canonicalized.kind === 'many' ? canonicalized.calls : [canonicalized]
  const context = {
    operator,
    session: idFrom('ses', ports.uuid()),
    run: idFrom('run', ports.uuid()),
    label: operatorLabel,
    requester: { kind: 'operator' as const, id: 'operator' },
    unattended: false,
    agent: 'assistant',
    goal: null,
    origins: [],
    firstHand: true,
    inReader: false,
  }
  const link = (kind: ChainLink['kind'], id: string, name = id) => ({ kind, id, name })
  const { agent, run } = context
  const chain = (tool: string): Chain => [
    link('operator', 'operator', ''),
    link('agent', agent),
    link('run', run),
    link('tool', tool),
  ]
  return Promise.all(
    calls.map(async (one): Promise<DryRunResult> => {
      if (one.kind === 'invalid') return { kind: 'impossible', reason: one.reason }
      const shared = { executors: ports.executors, store: ports.store, now: ports.clock() }
      const [assessment] = await classifyAndDecide([one.call], context, {
        ...shared,
        policy: ports.policies.current(),
      })
      if (assessment?.kind !== 'assessed')
        return { kind: 'impossible', reason: assessment?.reason ?? 'The executor did not answer.' }
      const { call, resolution, decision } = assessment
      const { resources, sandbox, egress, secrets } = resolution
      const card = cardOf(call, resolution, decision, chain(call.tool.name))
      return { kind: 'judged', decision: decision.kind, card, resources, sandbox, egress, secrets }
    }),
  )
}
