import type { JsonObject, Label } from '@countersign/contract'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRecordToolRunner } from '../testing/record-tool-runner.ts'
import { readCsv } from '../utilities/csv.ts'
import { batchAddExpenses } from './batch-add-expenses.ts'
import { expenseSummary } from './expense-summary.ts'
import { exportExpenses } from './export-expenses.ts'
import { exportText } from './export-text.ts'
import { summaryOf } from './summary.ts'

const spent = (amountMinor: number, more: JsonObject = {}) => ({
  data: { amountMinor, currency: 'EUR', category: 'food', date: '2026-02-27', tags: [], ...more },
})
const paid = (amount: string, more: JsonObject = {}) => ({
  amount,
  currency: 'EUR',
  category: 'food',
  description: 'Lunch',
  date: '2026-02-27',
  ...more,
})

describe('a summary', () => {
  it('adds up each currency by itself, the largest first', () => {
    const { totals, lines } = summaryOf(
      [
        spent(10),
        spent(20),
        spent(1_000, { category: 'travel' }),
        spent(800, { currency: 'JPY', category: 'travel' }),
      ],
      'category',
    )
    expect(totals).toEqual([
      { currency: 'EUR', amount: '10.30', count: 3 },
      { currency: 'JPY', amount: '800', count: 1 },
    ])
    expect(lines).toEqual([
      { key: 'travel', currency: 'EUR', amount: '10.00', count: 1, percent: 97 },
      { key: 'food', currency: 'EUR', amount: '0.30', count: 2, percent: 3 },
      { key: 'travel', currency: 'JPY', amount: '800', count: 1, percent: 100 },
    ])
  })

  it('has times in their order, and counts a tag once', () => {
    const found = [
      spent(5, { date: '2026-03-01', tags: ['a', 'a', 'b'] }),
      spent(3, { date: '2025-12-31' }),
      spent(9, { date: '2026-03-31' }),
    ]
    const keys = (by: 'month' | 'year' | 'tag') =>
      summaryOf(found, by).lines.map(({ key, amount }) => [key, amount])
    expect(keys('month')).toEqual([
      ['2025-12', '0.03'],
      ['2026-03', '0.14'],
    ])
    expect(keys('year').map(([key]) => key)).toEqual(['2025', '2026'])
    expect(keys('tag')).toEqual([
      ['', '0.12'],
      ['a', '0.05'],
      ['b', '0.05'],
    ])
  })

  it('takes refunds off the sum and out of the shares', () => {
    const { totals, lines } = summaryOf(
      [spent(100), spent(-40), spent(-10, { category: 'other' })],
      'category',
    )
    expect(totals).toMatchObject([{ amount: '0.50', count: 3 }])
    expect(lines.map(({ amount, percent }) => [amount, percent])).toEqual([
      ['0.60', 60],
      ['-0.10', 0],
    ])
  })

  it('is exact where numbers are not', () => {
    const amounts = fc.array(fc.integer({ min: -(10 ** 15), max: 10 ** 15 }), { minLength: 1, maxLength: 40 })
    fc.assert(
      fc.property(amounts, (minors) => {
        const sum = minors.reduce((total, each) => total + BigInt(each), 0n)
        const [total] = summaryOf(
          minors.map((minor) => spent(minor)),
          'category',
        ).totals
        expect(BigInt((total?.amount ?? '').replace('.', ''))).toBe(sum)
      }),
    )
  })

  it('is told from all expenses that fit, with what they were made from', async () => {
    const test = createRecordToolRunner()
    const strange: Label = { integrity: 'untrusted', confidentiality: 'private', sources: ['a'] }
    test.label = strange
    const many = Array.from({ length: 100 }, () => paid('0.10'))
    for (let round = 0; round < 11; round += 1) await test.use(batchAddExpenses, { expenses: many })
    await test.use(batchAddExpenses, { expenses: [paid('5', { date: '2025-01-01' })] })
    const { result } = await test.use(expenseSummary, { from: '2026-01-01', by: 'payee' })
    expect(result.text).toBe(
      '1100 expenses, 110.00 EUR in all. By payee:\n{"payee":null,"currency":"EUR","amount":"110.00","count":1100,"percent":100}',
    )
    expect(result.label).toEqual(strange)
  })
})

describe('an export', () => {
  it('leaves the writing to a call of its own, which knows what was read', async () => {
    const test = createRecordToolRunner()
    const strange: Label = { integrity: 'untrusted', confidentiality: 'private', sources: ['a'] }
    test.label = strange
    await test.use(batchAddExpenses, { expenses: [paid('12.1', { payee: 'Rossi, Bar' }), paid('-3')] })
    const { result, found } = await test.use(exportExpenses, { format: 'csv' })
    expect(found.effects).toMatchObject([{ verb: 'list' }])
    expect(result).toMatchObject({ ok: true, undo: null, label: strange, next: { tool: 'write_file' } })
    const { path, content } = JSON.parse(result.next?.args ?? '{}') as { path: string; content: string }
    expect(path).toBe('expenses.csv')
    const rows = readCsv(content, ',', 9)
    expect(rows.kind === 'refused' ? [] : rows.value.map(([day, amount]) => [day, amount])).toEqual([
      ['date', 'amount'],
      ['2026-02-27', '-3.00'],
      ['2026-02-27', '12.10'],
    ])
    expect(content).toContain('"Rossi, Bar"')
    expect(content).toContain(',-3.00,EUR,')
  })

  it('is JSON with whole numbers of the smallest unit beside the decimals', async () => {
    const test = createRecordToolRunner()
    await test.use(batchAddExpenses, { expenses: [paid('12.1')] })
    const { result } = await test.use(exportExpenses, { format: 'json', path: 'a/b.json' })
    const { path, content } = JSON.parse(result.next?.args ?? '{}') as { path: string; content: string }
    expect(path).toBe('a/b.json')
    expect(JSON.parse(content)).toMatchObject([{ amount: '12.10', amountMinor: 1210, currency: 'EUR' }])
  })

  it('says when there is nothing', async () => {
    const { result } = await createRecordToolRunner().use(exportExpenses, { format: 'csv' })
    expect(result).toMatchObject({ ok: false, text: expect.stringContaining('nothing to export') })
    expect(result.next).toBeUndefined()
  })

  it.each(['=1+1', '+1', '-1', '@sum', ' =1', '\u200b=1', '＝1', '|cmd'])(
    'takes %j as text and not as a formula',
    (description) => {
      const text = exportText([{ id: 'e', data: { amount: '-1', description } }], 'csv')
      const rows = readCsv(text, ',', 9)
      expect(rows.kind === 'refused' ? [] : rows.value[1]).toEqual([
        '',
        '-1',
        '',
        '',
        `'${description}`,
        '',
        '',
        '',
        '',
        'e',
      ])
    },
  )
})
