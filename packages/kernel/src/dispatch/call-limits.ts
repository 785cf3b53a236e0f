/**
 * Owns how many calls a turn and a run may make. Counts after everything that stands for several calls was taken
 * apart, before any row is written; a call that is over a limit is told so and never authorized.
 */
import type { Limits } from '@countersign/agent'
import type { CallRow, NewCall } from './call-rows.ts'

export type CallLimits = Pick<Limits, 'callsPerTurn' | 'callsInTurn' | 'toolCalls'>

export interface CallsWithinLimits {
  /** The calls as they are written: those over a limit have ended. */
  readonly calls: readonly NewCall[]
  /** How many of them count. */
  readonly made: number
}

/** What a reply proposes, in the order in which it proposes it. */
export function limitReplyCalls(
  proposed: readonly NewCall[],
  limits: CallLimits,
  madeInRun: number,
): CallsWithinLimits {
  const calls: NewCall[] = []
  const refused = new Set<NewCall['id']>()
  let made = 0
  for (const call of proposed) {
    if (call.parent !== null && refused.has(call.parent)) continue
    const problem = problemWith(made, madeInRun, limits)
    if (problem === undefined) {
      calls.push(call)
      if (counts(call)) made += 1
      continue
    }
    refused.add(call.id)
    calls.push({ ...call, state: 'ended', invalid: problem, origin: null })
  }
  return { calls, made }
}

/**
 * What a program asks for besides what its turn made already. All or nothing: a program that goes on with a part of
 * its calls does something that nobody wrote. A reason means that none are made.
 */
export function limitProgramCalls(
  asked: readonly NewCall[],
  limits: CallLimits,
  madeInTurn: number,
  madeInRun: number,
): { readonly reason: string } | CallsWithinLimits {
  const made = asked.filter(counts).length
  if (madeInTurn + made > limits.callsInTurn)
    return { reason: `It asked for too many calls: a turn may make ${limits.callsInTurn} with its programs.` }
  if (madeInRun + made > limits.toolCalls)
    return { reason: `It asked for too many calls: a run may make ${limits.toolCalls}.` }
  return { calls: asked, made }
}

/** How many calls the rows of a turn are. */
export function countCalls(rows: readonly CallRow[]): number {
  return rows.filter((row) => row.args !== '' || row.outcome === 'invalid').length
}

/** What stands for several calls is none itself. */
function counts(call: NewCall): boolean {
  return call.args !== '' || call.invalid !== null
}

function problemWith(made: number, madeInRun: number, limits: CallLimits): string | undefined {
  if (madeInRun + made >= limits.toolCalls)
    return `Not made: a run may make ${limits.toolCalls} calls, and these are made. Say in your reply what is left to do.`
  if (made >= limits.callsPerTurn)
    return `Not made: a turn may make ${limits.callsPerTurn} calls, and each call inside another counts. Make the rest in another turn.`
  return undefined
}
