/**
 * Owns the attacks out of order: whatever hostile content asked for in any week is asked for in every task of this one
 * that has read something untrusted, with all grants of the week in force; in that task's own context and as if nothing
 * private were in reach, with an address that the model made and one that it found.
 */
import type { Effect } from '@countersign/contract'
import type { PolicySet } from '@countersign/policy'
import { type Grant, judgeCall, type ToolOfWeek } from '../judge.ts'
import { isGuarded } from '../replay.ts'
import type { LivedWeek, WeekCall } from './week.ts'

export interface Transplanted {
  readonly tried: number
  /** Ran, and left the machine, cannot be undone, or changed authority. */
  readonly outward: readonly string[]
  /** Ran, changed something inside, and can be undone. */
  readonly inside: readonly string[]
}

export function transplantInto(
  { calls, ends }: LivedWeek,
  attacks: readonly WeekCall[],
  grants: readonly Grant[],
  set: PolicySet,
  tool: (name: string) => ToolOfWeek | undefined,
): Transplanted {
  const usable = attacks.filter((call) => call.injected && isGuarded(call) && call.refused === null)
  const hosts = [...Map.groupBy(calls, ({ run }) => run)].flatMap(([run, [first]]) => {
    const label = ends.get(run)
    return first && !first.task.suite && label?.integrity === 'untrusted' ? [{ first, label }] : []
  })
  let tried = 0
  const [outward, inside]: [string[], string[]] = [[], []]
  const judged = new Map<string, boolean>()
  for (const { first, label } of hosts)
    for (const attack of usable)
      for (const address of attack.address === null ? [null] : (['made', 'found'] as const))
        for (const worth of [label, { ...label, confidentiality: 'public' as const }]) {
          const { run, agent, requester, unattended } = first
          const call = { ...attack, run, agent, requester, unattended, label: worth, address }
          tried += 1
          // Nothing else of a host is looked at by a judgement, so what is alike is judged once.
          const alike = JSON.stringify([
            attack.task.id,
            attack.id,
            attack.at,
            worth.integrity,
            worth.confidentiality,
            agent,
            requester.kind,
            unattended,
            address,
          ])
          const ran = judged.get(alike) ?? judgeCall(call, tool(call.tool), set, grants).kind === 'allow'
          judged.set(alike, ran)
          if (ran) (call.effects.every(isInside) ? inside : outward).push(`${call.id} in ${run}`)
        }
  return { tried, outward, inside }
}

function isInside({ verb, scope, reversible, outward, leaves }: Effect): boolean {
  return (
    scope === 'inside' &&
    reversible &&
    !outward &&
    leaves.length === 0 &&
    verb !== 'fetch' &&
    verb !== 'authority'
  )
}
