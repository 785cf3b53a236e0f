/** Owns what an expense is: an amount of a currency that was paid on a day. Refuses amounts that the currency cannot pay. */
import { Expense, type JsonObject, readMoney } from '@countersign/contract'
import { defineCollection, type RecordData, textIn } from '../records/collection.ts'

export const expenses = defineCollection({
  name: 'expenses',
  singular: 'expense',
  prefix: 'exp',
  category: 'finance',
  group: 'finance',
  shape: Expense,
  title: 'description',
  columns: [
    'date',
    'amount',
    'currency',
    'category',
    'description',
    'payee',
    'paymentMethod',
    'tags',
    'notes',
  ],
  long: ['notes'],
  search: ['description', 'payee', 'notes', 'tags'],
  filters: {
    from: { field: 'date', how: 'from' },
    to: { field: 'date', how: 'to' },
    category: { field: 'category', how: 'equal' },
    currency: { field: 'currency', how: 'equal' },
    payee: { field: 'payee', how: 'equal' },
    paymentMethod: { field: 'paymentMethod', how: 'equal' },
    tag: { field: 'tags', how: 'holds' },
  },
  order: [{ field: 'date', direction: 'down' }],
  settle,
})

/** The amount is kept as the text that people read and as the whole number that sums are made of. */
function settle(data: JsonObject, now: Date): RecordData {
  const { amount } = data
  const money = readMoney(
    typeof amount === 'number' ? amount : textIn(data, 'amount'),
    textIn(data, 'currency'),
  )
  if (money.kind === 'invalid') return money
  return {
    kind: 'data',
    data: { ...data, amount: money.text, amountMinor: money.minor, date: data['date'] ?? dayHere(now) },
  }
}

/** The day that it is where the gateway runs. In UTC an evening in America would be tomorrow. */
function dayHere(now: Date): string {
  const two = (figure: number) => String(figure).padStart(2, '0')
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`
}
