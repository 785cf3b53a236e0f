/** Owns the shape of what expenses come to: sums of one currency each, as decimal text. */
import { z } from 'zod'

export const ExpenseGroup = z.enum(['category', 'day', 'month', 'year', 'payee', 'paymentMethod', 'tag'])
export type ExpenseGroup = z.infer<typeof ExpenseGroup>

export const ExpenseTotal = z.strictObject({
  currency: z.string(),
  amount: z.string(),
  count: z.int(),
})
export type ExpenseTotal = z.infer<typeof ExpenseTotal>

export const ExpenseLine = ExpenseTotal.extend({
  /** Empty for those that say nothing of it. */
  key: z.string(),
  /** Of all that was spent in the currency, refunds left out, in whole percent. */
  percent: z.int(),
})
export type ExpenseLine = z.infer<typeof ExpenseLine>

export const ExpenseSummary = z.strictObject({
  by: ExpenseGroup,
  count: z.int(),
  totals: z.array(ExpenseTotal),
  lines: z.array(ExpenseLine),
})
export type ExpenseSummary = z.infer<typeof ExpenseSummary>
