import type { JsonObject, Label } from '@countersign/contract'
import { describe, expect, it } from 'vitest'
import { parseArgs } from '../definition.ts'
import { restoreRecords } from '../records/restore-records.ts'
import { createRecordToolRunner } from '../testing/record-tool-runner.ts'
import { addExpense } from './add-expense.ts'
import { batchAddExpenses } from './batch-add-expenses.ts'
import { deleteExpense } from './delete-expense.ts'
import { queryExpenses } from './query-expenses.ts'
import { updateExpense } from './update-expense.ts'

const lunch = { amount: 12.1, currency: 'EUR', category: 'food', description: 'Lunch', date: '2026-02-27' }
const stored = async (test: ReturnType<typeof createRecordToolRunner>) =>
  (await test.records.list('expenses', { limit: 99 })).records

describe('expenses', () => {
  it('are kept in the smallest unit of their currency', async () => {
    const test = createRecordToolRunner()
    await test.use(batchAddExpenses, {
      expenses: [
        lunch,
        { ...lunch, amount: '1200', currency: 'JPY' },
        { ...lunch, amount: '1.005', currency: 'KWD' },
      ],
    })
    const kept = (await stored(test)).map(({ data }) => [
      data['currency'],
      data['amount'],
      data['amountMinor'],
    ])
    expect(new Set(kept.map((one) => JSON.stringify(one)))).toEqual(
      new Set(['["EUR","12.10",1210]', '["JPY","1200",1200]', '["KWD","1.005",1005]']),
    )
  })

  it('are refused where the currency has no such amount, each with its place in a batch', async () => {
    const test = createRecordToolRunner()
    expect(await test.resolve(addExpense, { ...lunch, amount: '0.5', currency: 'JPY' })).toMatchObject({
      kind: 'invalid',
      reason: expect.stringContaining('more decimals than JPY has (0)'),
    })
    expect(
      await test.resolve(batchAddExpenses, { expenses: [lunch, { ...lunch, amount: 12.105 }] }),
    ).toMatchObject({ kind: 'invalid', reason: expect.stringMatching(/^expenses\.1: /) })
    for (const wrong of [
      { currency: 'euro' },
      { category: 'fun' },
      { amount: '12,10' },
      { amount: 'twelve' },
      { amount: 0.1 + 0.2 },
      { date: '2026-02-30' },
      { description: '' },
    ])
      expect(parseArgs(addExpense, { ...lunch, ...wrong }).kind, JSON.stringify(wrong)).toBe('invalid')
  })

  it('are of today where no day is given', async () => {
    const now = new Date('2026-03-01T12:00:00.000Z')
    const test = createRecordToolRunner({ now })
    const { date: _, ...undated } = lunch
    await test.use(addExpense, undated)
    const today = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short' }).format(now)
    expect((await stored(test))[0]?.data['date']).toBe(today)
  })

  it('are found by day, category, currency, payee, tag and words, the latest first', async () => {
    const test = createRecordToolRunner()
    await test.use(batchAddExpenses, {
      expenses: [
        { ...lunch, description: 'a', date: '2026-01-31', payee: 'Rossi', tags: ['work'] },
        { ...lunch, description: 'b', date: '2026-02-01', category: 'travel' },
        { ...lunch, description: 'c', date: '2026-02-28', currency: 'USD', notes: 'Window seat' },
      ],
    })
    const found = async (args: JsonObject) =>
      [...(await test.use(queryExpenses, args)).result.text.matchAll(/"description":"(\w)"/g)].map(
        ([, it]) => it,
      )
    expect(await found({})).toEqual(['c', 'b', 'a'])
    expect(await found({ from: '2026-02-01', to: '2026-02-28' })).toEqual(['c', 'b'])
    expect(await found({ category: 'travel' })).toEqual(['b'])
    expect(await found({ currency: 'USD' })).toEqual(['c'])
    expect(await found({ payee: 'Rossi' })).toEqual(['a'])
    expect(await found({ tag: 'work' })).toEqual(['a'])
    expect(await found({ search: 'window' })).toEqual(['c'])
  })

  it('come back after they were deleted, changed or added, each by its undo', async () => {
    const test = createRecordToolRunner()
    const undo = (call: { args: string } | null) => test.use(restoreRecords, JSON.parse(call?.args ?? '{}'))
    const added = await test.use(addExpense, lunch)
    const [first] = await stored(test)
    const expenseId = first?.id ?? ''
    const changed = await test.use(updateExpense, { expenseId, amount: '13' })
    expect((await stored(test))[0]?.data).toMatchObject({ amount: '13.00', amountMinor: 1300 })
    const deleted = await test.use(deleteExpense, { expenseId })
    expect(await stored(test)).toEqual([])
    await undo(deleted.result.undo)
    expect((await stored(test))[0]?.data).toMatchObject({ amountMinor: 1300 })
    await undo(changed.result.undo)
    expect((await stored(test))[0]?.data).toEqual(first?.data)
    await undo(added.result.undo)
    expect(await stored(test)).toEqual([])
    const many = await test.use(batchAddExpenses, { expenses: [lunch, lunch] })
    await undo(many.result.undo)
    expect(await stored(test)).toEqual([])
  })

  it('keep the amount when another field changes, and read it anew in another currency', async () => {
    const test = createRecordToolRunner()
    await test.use(addExpense, lunch)
    const expenseId = (await stored(test))[0]?.id ?? ''
    await test.use(updateExpense, { expenseId, category: 'travel' })
    expect((await stored(test))[0]?.data).toMatchObject({ amount: '12.10', amountMinor: 1210 })
    await test.use(updateExpense, { expenseId, currency: 'KWD' })
    expect((await stored(test))[0]?.data).toMatchObject({ amount: '12.100', amountMinor: 12_100 })
    expect(await test.resolve(updateExpense, { expenseId, currency: 'JPY' })).toMatchObject({
      kind: 'invalid',
    })
  })

  it('say where their id is looked up', async () => {
    expect(await createRecordToolRunner().resolve(deleteExpense, { expenseId: 'exp_1' })).toMatchObject({
      reason: expect.stringContaining('query_expenses'),
    })
  })

  it('remember that a stranger’s receipt led to them, and taint whoever reads them', async () => {
    const test = createRecordToolRunner()
    const strange: Label = { integrity: 'untrusted', confidentiality: 'private', sources: ['receipt.txt'] }
    test.label = strange
    await test.use(addExpense, lunch)
    expect((await stored(test))[0]?.label).toEqual(strange)
    expect((await test.use(queryExpenses, {})).result.label).toEqual(strange)
  })
})
