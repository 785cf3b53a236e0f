/** Changes fields of an expense. */
import { updateTool } from '../records/change.ts'
import { expenses } from './expenses.ts'

export const updateExpense = updateTool(expenses, {
  name: 'update_expense',
  description: 'Change fields of an expense; null removes one.',
  tags: ['correct', 'edit', 'fix', 'wrong amount', 'recategorise', 'payment', 'money'],
  idParam: 'expenseId',
})
