/** Owns which grants are worth offering: the narrowest stop that would have answered what the operator approved again and again. */
import { canonicalText } from '@countersign/contract'
import { type CoveredCall, coversAt, type GrantCover, isCovered, type Stop } from './cover.ts'
import type { GrantedAct } from './granted-act.ts'

/** A call that was asked about and approved as it was. */
export interface ApprovedCall extends CoveredCall {
  /** Whom it was made for; a suggestion never reaches from one to another. */
  readonly agent: string
  /** What its request offered for a rule; empty where no grant answers such a call. */
  readonly stops: readonly Stop[]
  /** What it offered for a rule that holds after untrusted content was read. */
  readonly untrustedStops: readonly Stop[]
  readonly act: GrantedAct | null
}

export interface Suggestion {
  readonly tool: string
  readonly agent: string
  readonly stop: Stop
  /** It holds after untrusted content was read as well. */
  readonly untrusted: boolean
  readonly covers: readonly GrantCover[]
  /** How many of the approved calls it would have answered. */
  readonly answers: number
}

/** The whole tool is never suggested: whoever wants that says so. */
const widest: Stop = 'tool'
/** Twice can be chance. */
export const fewestAsked = 3
export const suggestedDays = 7

/**
 * What holds after untrusted content was read is suggested only where nothing narrower answers, and never for changes:
 * whoever lets strangers replace what is there chooses that on a card.
 */
export function suggestGrants(approved: readonly ApprovedCall[]): Suggestion[] {
  const found = new Map<string, Suggestion>()
  const taken = new Set<ApprovedCall>()
  for (const untrusted of [false, true]) {
    const stopsOf = (call: ApprovedCall) => (untrusted ? call.untrustedStops : call.stops)
    const isOpen = (call: ApprovedCall) => !untrusted || (call.act !== 'change' && !taken.has(call))
    const grantable = approved.filter((call) => stopsOf(call).length > 0 && isOpen(call))
    for (const call of grantable) {
      const suggestion = narrowest(call, stopsOf(call), grantable, untrusted)
      if (!suggestion) continue
      if (!untrusted) taken.add(call)
      found.set(keyOf(suggestion), suggestion)
    }
  }
  return [...found.values()].toSorted((left, right) => right.answers - left.answers)
}

function narrowest(
  call: ApprovedCall,
  stops: readonly Stop[],
  grantable: readonly ApprovedCall[],
  untrusted: boolean,
): Suggestion | undefined {
  const { tool, agent } = call
  const kin = grantable.filter((other) => other.tool === tool && other.agent === agent)
  for (const stop of stops) {
    const covers = stop === widest ? null : coversAt(stop, call)
    if (!covers) return undefined
    // A path that was free when it was written may be a change the next time.
    if (untrusted && stop === 'target' && covers.some(({ type }) => type === 'file')) continue
    const answers = kin.filter((other) => isCovered(covers, other)).length
    if (answers >= fewestAsked) return { tool, agent, stop, untrusted, covers, answers }
  }
  return undefined
}

/** Two that say the same are one. */
export function keyOf({ tool, agent, untrusted, covers }: Omit<Suggestion, 'stop' | 'answers'>): string {
  return [tool, agent, String(untrusted), ...covers.map((cover) => canonicalText({ ...cover }))].join('\0')
}
