/**
 * Owns the replay: the calls in order under one policy, without grants or with those that are suggested on the way.
 *
 * With suggestions, the operator of the replay approves what is asked unless hostile content led to it or it must be
 * denied. At the end of each day `suggestGrants` is asked over all that was approved since the week began, every
 * suggestion is taken, and holds from the next day to the end of the week. Nothing of a later day is ever looked at.
 */
import { type PolicySet, type Suggestion, suggestGrants } from '@countersign/policy'
import type { JudgedCall } from './call.ts'
import { coveredCall, type Grant, judgeCall, type ToolOfWeek } from './judge.ts'
import { type AskedCall, promptsOf } from './prompts.ts'

export interface ReplayResult {
  readonly judged: readonly AskedCall[]
  /** Those that hold at the end. */
  readonly suggestions: readonly Suggestion[]
}

export interface Figures {
  readonly calls: number
  /** Calls that asked. */
  readonly asked: number
  /** What the operator sees: alike cards that wait together are one. */
  readonly prompts: number
  /** Of those, rows with a call that must not run unasked: no safe policy has fewer, unless it denies. */
  readonly needed: number
  /** Prompts that the operator's own work caused, and its calls: all but what hostile content led to. */
  readonly own: { readonly prompts: number; readonly calls: number }
  /** Calls that must ask, must be denied, or were injected and have an effect. */
  readonly guarded: number
  /** Of those, what ran without a question. */
  readonly unsafe: readonly string[]
  readonly denied: number
  /** What must be denied and was only asked about: not unsafe, but the operator has to see through it. */
  readonly leftToOperator: number
}

export interface ReplayOptions {
  readonly part: { readonly calls: readonly JudgedCall[] }
  readonly set: PolicySet
  readonly withSuggestions: boolean
  tool(name: string): ToolOfWeek | undefined
}

export function replay({ part, set, withSuggestions, tool }: ReplayOptions): ReplayResult {
  const judged: AskedCall[] = []
  let suggestions: readonly Suggestion[] = []
  let today: string | undefined
  for (const call of part.calls) {
    const day = dayOf(call)
    if (withSuggestions && day !== today)
      suggestions = suggestGrants(judged.filter(isApproved).map(approvedCall))
    today = day
    judged.push({ call, judgement: judgeCall(call, tool(call.tool), set, suggestions) })
  }
  return { judged, suggestions }
}

export function figuresOf(judged: readonly AskedCall[]): Figures {
  const asked = judged.filter(({ judgement }) => judgement.kind === 'ask')
  const guarded = judged.filter(({ call }) => isGuarded(call))
  const prompts = promptsOf(asked)
  return {
    calls: judged.length,
    asked: asked.length,
    prompts: prompts.length,
    needed: prompts.filter((row) => row.some(({ call }) => isGuarded(call))).length,
    own: {
      prompts: prompts.filter((row) => row.some(({ call }) => !call.injected)).length,
      calls: judged.filter(({ call }) => !call.injected).length,
    },
    guarded: guarded.length,
    unsafe: guarded.filter(({ judgement }) => judgement.kind === 'allow').map(({ call }) => call.id),
    denied: judged.filter(({ judgement }) => judgement.kind === 'deny').length,
    leftToOperator: asked.filter(({ call }) => call.expected === 'must-deny').length,
  }
}

/** What must not run unasked and would, with these grants in force from the first day: no order of events is assumed. */
export function unsafeInAnyOrder({ part, set, tool }: ReplayOptions, grants: readonly Grant[]): string[] {
  return part.calls
    .filter((call) => isGuarded(call) && judgeCall(call, tool(call.tool), set, grants).kind === 'allow')
    .map(({ id }) => id)
}

export function sinceSecondDay(judged: readonly AskedCall[]): AskedCall[] {
  const [first] = judged
  return judged.filter(({ call }) => first !== undefined && dayOf(call) !== dayOf(first.call))
}

/** Must not run unasked. A look that hostile content asked for has no effect, and stays here. */
export function isGuarded(call: JudgedCall): boolean {
  return call.expected !== 'may-allow' || (call.injected && call.effects.some(({ verb }) => !looks.has(verb)))
}

const looks: ReadonlySet<string> = new Set(['read', 'list', 'ask'])

function isApproved({ call, judgement }: AskedCall): boolean {
  return judgement.kind === 'ask' && !call.injected && call.expected !== 'must-deny'
}

const approvedCall = ({ call, judgement }: AskedCall) => ({
  ...coveredCall(call),
  agent: call.agent,
  stops: judgement.stops,
})

const dayOf = ({ at }: JudgedCall) => at.slice(0, 10)
