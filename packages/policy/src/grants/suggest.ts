/** Owns which grants are worth offering: the narrowest stop that would have answered what the operator approved more than once. */
import { canonicalText, type Tier } from '@countersign/contract'
import { type CoveredCall, coversAt, type GrantCover, isCovered, type Stop } from './cover.ts'

/** A call that was asked about and approved as it was. */
export interface ApprovedCall extends CoveredCall {
  readonly tier: Tier
  /** Whom it was made for; a suggestion never reaches from one to another. */
  readonly agent: string
  /** The rules that asked. */
  readonly rules: readonly string[]
}

export interface Suggestion {
  readonly tool: string
  readonly agent: string
  readonly stop: Stop
  readonly covers: readonly GrantCover[]
  /** How many of the approved calls it would have answered. */
  readonly answers: number
}

/** The whole tool is never suggested: whoever wants that says so. */
const offered: readonly Stop[] = ['call', 'target', 'place']
const fewest = 2
/** The rules that a grant answers; the others ask whatever was granted. */
const answered: ReadonlySet<string> = new Set([
  'base.approval',
  'base.unattended',
  'base.peer',
  'base.webhook',
  'base.schedule',
])

export function suggestGrants(approved: readonly ApprovedCall[]): Suggestion[] {
  const grantable = approved.filter(
    ({ tier, rules }) => tier === 2 && rules.every((rule) => answered.has(rule)),
  )
  const found = new Map<string, Suggestion>()
  for (const call of grantable) {
    const kin = grantable.filter(({ tool, agent }) => tool === call.tool && agent === call.agent)
    for (const stop of offered) {
      const covers = coversAt(stop, call)
      if (!covers) break
      const answers = kin.filter((other) => isCovered(covers, other)).length
      if (answers < fewest) continue
      const { tool, agent } = call
      found.set(`${tool}\0${agent}\0${covers.map((cover) => canonicalText({ ...cover })).join('\0')}`, {
        tool,
        agent,
        stop,
        covers,
        answers,
      })
      break
    }
  }
  return [...found.values()].toSorted((left, right) => right.answers - left.answers)
}
