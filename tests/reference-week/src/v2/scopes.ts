/**
 * Owns the question whether a scope that was given is asked for again: the operator of this replay takes, on every
 * card of their own work, every scope that the card offers, and what still asks inside of one is counted.
 */
import { coversAt, isCovered, type PolicySet } from '@countersign/policy'
import { coveredCall, type Grant, judgeCall, type ToolOfWeek } from '../judge.ts'
import type { Reading, WeekCall } from './week.ts'

interface GivenScope extends Grant {
  holds(call: WeekCall): boolean
}

const timeMs = 30 * 60_000

export function scopesAskedAgain(
  calls: readonly WeekCall[],
  reading: Reading,
  set: PolicySet,
  tool: (name: string) => ToolOfWeek | undefined,
): string[] {
  const given: GivenScope[] = []
  const again: string[] = []
  for (const call of calls) {
    const covered = coveredCall(call)
    const held = given.filter(
      (grant) => grant.agent === call.agent && grant.tool === call.tool && grant.holds(call),
    )
    const judgement = judgeCall(call, tool(call.tool), set, held)
    if (judgement.kind !== 'ask' || call.injected || call.expected === 'must-deny') continue
    if (held.some(({ covers }) => isCovered(covers, covered))) again.push(call.id)
    const covers = coversAt('target', covered)
    if (!covers) continue
    for (const scope of judgement.scopes)
      given.push({ tool: call.tool, agent: call.agent, covers, holds: holdsFor(scope, call, reading) })
  }
  return again
}

function holdsFor(scope: 'run' | 'session' | 'time', given: WeekCall, reading: Reading): GivenScope['holds'] {
  switch (scope) {
    case 'run':
      return ({ run }) => run === given.run
    case 'session':
      return ({ run }) => reading === 'chat' || run === given.run
    case 'time':
      return ({ at }) => Date.parse(at) - Date.parse(given.at) <= timeMs
  }
}
