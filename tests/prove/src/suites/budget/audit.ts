/** Owns the comparison of the books with the bill, call by call and as a whole. Money is in billionths of a dollar. */
import type { BilledCall } from '@countersign/model-servers'
import type { BookedCall, Books, Period } from './books.ts'
import { billedNanos } from './provider.ts'

export interface Accounts {
  readonly bill: readonly BilledCall[]
  readonly calls: readonly BookedCall[]
  readonly period: Period
  readonly highest: number
  readonly limit: number
}

export interface Figures {
  readonly billed: number
  readonly booked: number
  /** Above zero where the bill passes what was allowed. */
  readonly overspent: number
  readonly worstOfOneCall: number
  readonly highest: number
  readonly calls: number
  readonly lost: number
  readonly lostNanos: number
  readonly estimated: number
  /** What the bill has for estimated calls beyond what the books have. */
  readonly estimatedTooLow: number
}

export async function accountsOf(
  books: Books,
  bill: readonly BilledCall[],
  limit: number,
): Promise<Accounts> {
  const calls = await books.calls()
  return { bill, calls, period: await books.period(), highest: await books.highest(), limit }
}

export function figuresOf({ bill, calls, period, highest, limit }: Accounts): Figures {
  const billed = sum(bill.map(billedNanos))
  const lost = calls.filter(({ outcome }) => outcome === 'lost')
  const estimated = calls.filter((call) => call.estimated && call.outcome !== 'lost')
  const known = new Map(estimated.map((call) => [call.id, call]))
  return {
    billed,
    booked: sum(calls.map(({ cost }) => cost)),
    overspent: billed - limit - period.extra,
    worstOfOneCall: Math.max(0, ...calls.map(({ reserved }) => reserved)),
    highest,
    calls: calls.length,
    lost: lost.length,
    lostNanos: sum(lost.map(({ cost }) => cost)),
    estimated: estimated.length,
    estimatedTooLow: sum(
      bill.map((line) => billedNanos(line) - (known.get(line.requestId ?? '')?.cost ?? billedNanos(line))),
    ),
  }
}

/** What must hold when nothing is under way. */
export function problemsOf(accounts: Accounts): string[] {
  const { calls, period, highest, limit } = accounts
  const { overspent, worstOfOneCall, booked } = figuresOf(accounts)
  const problems = [...callProblems(accounts)]
  if (overspent > worstOfOneCall)
    problems.push(`the bill passes the limit by ${overspent}, and one call is ${worstOfOneCall} at most`)
  if (highest > limit) problems.push(`${highest} was spent and set aside at once; the limit is ${limit}`)
  if (period.reserved !== 0) problems.push(`${period.reserved} stays set aside`)
  if (period.spent !== booked) problems.push(`the period has ${period.spent}, its calls come to ${booked}`)
  for (const call of calls) {
    if (call.state !== 'settled') problems.push(`${call.id} is still ${call.state}`)
    else if (call.cost > call.reserved)
      problems.push(`${call.id} came to ${call.cost} of ${call.reserved} set aside`)
    if (call.outcome === 'lost' && call.cost !== call.reserved)
      problems.push(`${call.id} was lost and is booked at ${call.cost} of ${call.reserved}`)
  }
  return problems
}

/** Every line of the bill is one call of the books; what the provider told is booked as it is, and the rest not at nothing. */
function callProblems({ bill, calls }: Accounts): string[] {
  const problems: string[] = []
  const booked = new Map(calls.map((call) => [call.id, call]))
  const seen = new Set<string>()
  for (const line of bill) {
    const id = line.requestId ?? 'a call without an id'
    const call = booked.get(id)
    const billed = billedNanos(line)
    if (seen.has(id)) problems.push(`${id} is billed twice`)
    seen.add(id)
    if (!call) problems.push(`${id} is billed at ${billed} and not in the books`)
    else if (call.outcome === 'lost') continue
    else if (!call.estimated && call.cost !== billed)
      problems.push(`${id} is billed at ${billed} and booked at ${call.cost}`)
    else if (call.cost === 0 && billed > 0)
      problems.push(`${id} is billed at ${billed} and booked at nothing`)
  }
  for (const call of calls) {
    if (call.outcome === 'delivered' && !seen.has(call.id))
      problems.push(`${call.id} was delivered and is not on the bill`)
  }
  return problems
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
