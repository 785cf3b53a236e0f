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
