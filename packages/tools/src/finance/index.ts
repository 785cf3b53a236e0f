import type { ToolDefinition } from '../definition.ts'
import { addExpense } from './add-expense.ts'
import { batchAddExpenses } from './batch-add-expenses.ts'
import { deleteExpense } from './delete-expense.ts'
import { expenseSummary } from './expense-summary.ts'
import { exportExpenses } from './export-expenses.ts'
import { parseReceipt } from './parse-receipt.ts'
import { queryExpenses } from './query-expenses.ts'
import { updateExpense } from './update-expense.ts'

export const financeTools: readonly ToolDefinition[] = [
  addExpense,
  batchAddExpenses,
  parseReceipt,
  queryExpenses,
  expenseSummary,
  exportExpenses,
  updateExpense,
  deleteExpense,
]
