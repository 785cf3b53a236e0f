/** Owns which grants are worth offering: the narrowest stop that would have answered what the operator approved more than once. */
import { canonicalText } from '@countersign/contract'
import { type CoveredCall, coversAt, type GrantCover, isCovered, type Stop } from './cover.ts'

/** A call that was asked about and approved as it was. */
export interface ApprovedCall extends CoveredCall {
  /** Whom it was made for; a suggestion never reaches from one to another. */
  readonly agent: string
  /** What its request offered for a rule; empty where no grant answers such a call. */
  readonly stops: readonly Stop[]
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
const widest: Stop = 'tool'
const fewest = 2

export function suggestGrants(approved: readonly ApprovedCall[]): Suggestion[] {
  const grantable = approved.filter(({ stops }) => stops.length > 0)
  const found = new Map<string, Suggestion>()
  for (const call of grantable) {
    const kin = grantable.filter(({ tool, agent }) => tool === call.tool && agent === call.agent)
    for (const stop of call.stops) {
      const covers = stop === widest ? null : coversAt(stop, call)
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
