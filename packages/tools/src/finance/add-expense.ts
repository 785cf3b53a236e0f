/** Adds one expense. */
import { addTool } from '../records/add.ts'
import { expenses } from './expenses.ts'

export const addExpense = addTool(expenses, {
  name: 'add_expense',
  description: 'Record an expense: what was paid, for what and when.',
  tags: ['spent', 'paid', 'bought', 'cost', 'money', 'book', 'purchase', 'bill', 'refund', 'spending'],
})
