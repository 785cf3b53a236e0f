/** Owns the port to what the operator allows on top of a limit, within the transaction of a permitted call. */

export interface BudgetExtension {
  readonly budget: string
  /** Whose share of the budget; empty where it is one for all. */
  readonly subject: string
  readonly period: string
  readonly nanos: number
}

export interface BudgetExtensions {
  /** Adds to what the budget gives in this period. False where it is limited no more. */
  add(allowance: BudgetExtension): Promise<boolean>
  /** Resumes unattended work that was put on hold. */
  release(by: string): Promise<void>
}

/** Where no permit stands behind the work. */
export const noBudgetExtensions: BudgetExtensions = {
  add: () => Promise.reject(new Error('no permit allows more')),
  release: () => Promise.reject(new Error('no permit releases this')),
}

/** The budget's name where the guard, and no budget, stood in the way. */
export const guardName = 'guard'

/** Dollars as a person reads them: cents where they say enough, smaller parts where the amount is small. */
export function dollarText(nanos: number): string {
  const usd = nanos / 1_000_000_000
  if (usd === 0) return '$0.00'
  if (Math.abs(usd) >= 1) return `$${usd.toFixed(2)}`
  if (Math.abs(usd) >= 0.0001) return `$${usd.toFixed(4)}`
  return '<$0.0001'
}
