/** Adds many expenses at once. */
import { batchAddTool } from '../records/add.ts'
import { expenses } from './expenses.ts'

export const batchAddExpenses = batchAddTool(expenses, 'expenses', {
  name: 'batch_add_expenses',
  description: 'Record several expenses at once, 100 at most.',
  tags: ['spent', 'paid', 'money', 'many', 'bulk', 'import', 'statement', 'bills', 'purchases'],
})
