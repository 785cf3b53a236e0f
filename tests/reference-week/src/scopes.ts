/**
 * Owns the scopes that cards offer: the operator of this replay takes, on every card of their own work, every scope
 * that it offers. Says what still asks inside of one, and which scopes an attack may meet.
 */
import { coversAt, type GrantScope, isCovered, type PolicySet } from '@countersign/policy'
import { askedPart, type JudgedCall } from './call.ts'
import { coveredCall, type Grant, judgeCall, type ToolOfWeek } from './judge.ts'

export interface TakenScope extends Grant {
  readonly scope: GrantScope
  /** The call whose card offered it. */
  readonly given: JudgedCall
}

export interface ScopesTaken {
  readonly taken: readonly TakenScope[]
  /** Calls that ask although a scope covers them. */
  readonly askedAgain: readonly string[]
}

const timeMs = 30 * 60_000

export function takeScopes(
  calls: readonly JudgedCall[],
  set: PolicySet,
  tool: (name: string) => ToolOfWeek | undefined,
): ScopesTaken {
  const taken: TakenScope[] = []
  const askedAgain: string[] = []
  for (const call of calls) {
    const part = askedPart(call)
    const covered = coveredCall(part)
    const held = taken.filter((scope) => isHeldFor(scope, part))
    const judgement = judgeCall(call, tool(call.tool), set, held)
    if (judgement.kind !== 'ask' || call.injected || call.expected === 'must-deny') continue
    if (held.some(({ covers }) => isCovered(covers, covered))) askedAgain.push(call.id)
    const covers = coversAt('target', covered)
    if (!covers) continue
    const given = { tool: part.tool, agent: null, covers, given: call }
    for (const scope of judgement.scopes) taken.push({ ...given, scope, untrusted: false })
    if (judgement.untrusted.run) taken.push({ ...given, scope: 'run', untrusted: true })
  }
  return { taken, askedAgain }
}

/** In the order of the week. */
function isHeldFor(scope: TakenScope, call: JudgedCall): boolean {
  if (scope.tool !== call.tool || !mayMeet(scope, call)) return false
  return scope.scope !== 'time' || Date.parse(call.at) - Date.parse(scope.given.at) <= timeMs
}

/** In some order: a scope for a time holds whenever it was given. */
export function mayMeet(
  { scope, given }: Pick<TakenScope, 'scope' | 'given'>,
  call: Pick<JudgedCall, 'run' | 'session'>,
): boolean {
  switch (scope) {
    case 'run':
      return call.run === given.run
    case 'session':
      return call.session === given.session
    case 'time':
      return true
  }
}
