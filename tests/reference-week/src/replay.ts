/**
 * Owns the replay: the calls in order under one policy, without grants or with those that are suggested on the way.
 *
 * With suggestions, the operator of the replay approves what is asked unless hostile content led to it or it must be
 * denied. After each turn `suggestGrants` is asked over all that was approved since the week began, every suggestion is
 * taken, and holds from the next turn to the end of the week. Nothing later is ever looked at.
 */
import { type ApprovedCall, type PolicySet, type Suggestion, suggestGrants } from '@countersign/policy'
import { askedPart, type JudgedCall } from './call.ts'
import { coveredCall, judgeCall, type ToolOfWeek } from './judge.ts'
import type { AskedCall } from './prompts.ts'

export interface ReplayResult {
  readonly judged: readonly AskedCall[]
  /** Those that hold at the end. */
  readonly suggestions: readonly Suggestion[]
}

export interface ReplayOptions {
  readonly calls: readonly JudgedCall[]
  readonly set: PolicySet
  readonly withSuggestions: boolean
  tool(name: string): ToolOfWeek | undefined
}

export function replay({ calls, set, withSuggestions, tool }: ReplayOptions): ReplayResult {
  const judged: AskedCall[] = []
  let suggestions: readonly Suggestion[] = []
  let lastTurn: string | undefined
  let approved: ApprovedCall[] = []
  let isNew = false
  for (const call of calls) {
    const turn = `${call.run} ${call.turn}`
    if (withSuggestions && isNew && turn !== lastTurn) {
      suggestions = suggestGrants(approved)
      isNew = false
    }
    lastTurn = turn
    const one = { call, judgement: judgeCall(call, tool(call.tool), set, suggestions) }
    judged.push(one)
    if (!isApproved(one)) continue
    approved = [...approved, approvedCall(one)]
    isNew = true
  }
  return { judged, suggestions }
}

/** Must not run unasked. A look that hostile content asked for has no effect, and stays here. */
export function isGuarded(
  call: Pick<JudgedCall, 'expected' | 'injected' | 'effects' | 'resources' | 'next'>,
): boolean {
  // Over a view a program does nothing but what is taken over; one that changed nothing has no effect, whoever asked.
  if (call.resources.some((resource) => resource.type === 'exec' && resource.view) && !call.next) return false
  const effects = [...call.effects, ...(call.next?.effects ?? [])]
  return call.expected !== 'may-allow' || (call.injected && effects.some(({ verb }) => !looks.has(verb)))
}

const looks: ReadonlySet<string> = new Set(['read', 'list', 'ask'])

function isApproved({ call, judgement }: AskedCall): boolean {
  return judgement.kind === 'ask' && !call.injected && call.expected !== 'must-deny'
}

const approvedCall = ({ call, judgement }: AskedCall): ApprovedCall => ({
  ...coveredCall(askedPart(call)),
  agent: call.agent,
  stops: judgement.stops,
  untrustedStops: judgement.untrusted.stops,
  act: judgement.act,
})
