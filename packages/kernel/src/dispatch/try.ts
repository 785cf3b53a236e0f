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
import { assess } from './assess.ts'
import type { DispatchPorts } from './context.ts'
import { type PreparedOne, type ProposedCall, prepare } from './prepare.ts'
import { cardOf } from './subject.ts'

export type Tried =
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
export async function tryCall(
  operator: OperatorId,
  proposed: ProposedCall,
  ports: DispatchPorts,
): Promise<Tried[]> {
  const catalogue = await ports.tools.open(operator)
  const prepared = prepare(proposed, catalogue)
  const calls: readonly PreparedOne[] = prepared.kind === 'many' ? prepared.calls : [prepared]
  const circumstances = {
    operator,
    session: idFrom('ses', ports.uuid()),
    run: idFrom('run', ports.uuid()),
    label: operatorLabel,
    requester: { kind: 'operator' as const, id: 'operator' },
    unattended: false,
    agent: 'assistant',
    goal: null,
  }
  const link = (kind: ChainLink['kind'], id: string, name = id) => ({ kind, id, name })
  const { agent, run } = circumstances
  const chain = (tool: string): Chain => [
    link('operator', 'operator', ''),
    link('agent', agent),
    link('run', run),
    link('tool', tool),
  ]
  return Promise.all(
    calls.map(async (one): Promise<Tried> => {
      if (one.kind === 'invalid') return { kind: 'impossible', reason: one.reason }
      const shared = { executors: ports.executors, store: ports.store, now: ports.clock() }
      const [assessed] = await assess([one.call], circumstances, {
        ...shared,
        policy: ports.policies.current(),
      })
      if (assessed?.kind !== 'assessed')
        return { kind: 'impossible', reason: assessed?.reason ?? 'The executor did not answer.' }
      const { call, resolution, decision } = assessed
      const { resources, sandbox, egress, secrets } = resolution
      const card = cardOf(call, resolution, decision, chain(call.tool.name))
      return { kind: 'judged', decision: decision.kind, card, resources, sandbox, egress, secrets }
    }),
  )
}
