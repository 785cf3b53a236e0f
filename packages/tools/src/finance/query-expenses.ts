/** Lists expenses, the latest day first. */
import { listTool } from '../records/list.ts'
import { expenses } from './expenses.ts'

export const queryExpenses = listTool(expenses, {
  name: 'query_expenses',
  description: 'List expenses, the latest first, by day, category, currency, payee or words.',
  tags: [
    'spent',
    'spending',
    'paid',
    'money',
    'show',
    'find',
    'search',
    'bought',
    'purchases',
    'payments',
    'bills',
  ],
  limit: { param: 'limit', max: 100, default: 50 },
})
