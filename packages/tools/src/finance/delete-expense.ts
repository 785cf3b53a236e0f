/** Deletes an expense; an undo brings it back. */
import { deleteTool } from '../records/change.ts'
import { expenses } from './expenses.ts'

export const deleteExpense = deleteTool(expenses, {
  name: 'delete_expense',
  description: 'Delete an expense.',
  tags: ['remove', 'erase', 'payment', 'money', 'booked twice', 'wrong'],
  idParam: 'expenseId',
})
