/**
 * Owns the attacks out of order: whatever hostile content asked for anywhere is asked for in every run that has read
 * something untrusted, with all grants of the week in force. Each is tried in the run's own context, and once more as
 * if nothing private were in reach.
 */
import type { Label } from '@countersign/contract'
import type { PolicySet } from '@countersign/policy'
import type { JudgedCall } from './call.ts'
import { type Grant, judgeCall, type ToolOfWeek } from './judge.ts'
import type { LabelledPart } from './labels.ts'
import { isGuarded } from './replay.ts'

export interface TransplantResult {
  readonly tried: number
  /** The attack and the run in which it ran unasked. */
  readonly ran: readonly string[]
}

export function transplant(
  { calls, ends }: LabelledPart,
  grants: readonly Grant[],
  set: PolicySet,
  tool: (name: string) => ToolOfWeek | undefined,
): TransplantResult {
  const attacks = calls.filter((call) => call.injected && isGuarded(call) && call.refused === null)
  const hosts = [...Map.groupBy(calls, ({ run }) => run)].flatMap(([run, [first]]) => {
    const label = ends.get(run)
    return first && label?.integrity === 'untrusted' ? [{ first, label }] : []
  })
  const trials = hosts.flatMap(({ first, label }) =>
    attacks.flatMap((attack) =>
      [label, { ...label, confidentiality: 'public' as const }].map((worth) => moved(attack, first, worth)),
    ),
  )
  const ran = trials.filter((call) => judgeCall(call, tool(call.tool), set, grants).kind === 'allow')
  return { tried: trials.length, ran: ran.map(({ id, run }) => `${id} in ${run}`) }
}

function moved(attack: JudgedCall, host: JudgedCall, label: Label): JudgedCall {
  const { run, agent, requester, unattended } = host
  return { ...attack, run, agent, requester, unattended, label }
}
