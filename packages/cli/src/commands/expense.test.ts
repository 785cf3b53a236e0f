import { afterEach, beforeEach, expect, it } from 'vitest'
import { createContext, type OptionValues } from '../context.ts'
import { failed, written } from '../output/answer.ts'
import { failureOf } from '../output/failure.ts'
import { type FakeRequest, fakeClient } from '../testing/fake-client.ts'
import { usualFlags } from '../testing/flags.ts'
import { type TestHome, testHome, testHost } from '../testing/home.ts'
import { expenseRows } from './rows/expense.ts'

let home: TestHome
let asked: FakeRequest[]
let answer: unknown
beforeEach(() => {
  home = testHome()
  asked = []
})
afterEach(() => home.remove())

async function text(name: string, args: string[] = [], options: OptionValues = {}): Promise<string> {
  const row = expenseRows.find((each) => each.name === name)
  if (!row) throw new Error(`no ${name}`)
  const client = fakeClient((request) => {
    asked.push(request)
    return answer
  })
  const context = {
    ...createContext(testHost({ home, columns: 80 }), { ...usualFlags, plain: true }),
    gateway: () => Promise.resolve({ client } as never),
  }
  const told = await (await row.load())(context, args, options).catch(async (error: unknown) =>
    failed(await failureOf(error)),
  )
  const { output, errors } = written(told, false)
  return `${output}${errors}`
}

const lunch = {
  id: 'exp_1',
  version: 1,
  createdAt: '2026-08-01T10:00:00.000Z',
  updatedAt: '2026-08-01T10:00:00.000Z',
  label: null,
  data: {
    amount: '1234.50',
    amountMinor: 123_450,
    currency: 'EUR',
    category: 'food',
    description: 'Lunch',
    date: '2026-08-01',
    tags: [],
  },
}
const strange = { integrity: 'untrusted', confidentiality: 'private', sources: ['receipt.txt'] }

it('lists what was spent, and where it is from', async () => {
  answer = { items: [lunch, { ...lunch, id: 'exp_2', label: strange }], total: 3, limit: 50, offset: 0 }
  const shown = await text('expense list', [], { from: '2026-08-01', category: 'food' })
  expect(asked[0]).toMatchObject({
    path: '/v1/expenses',
    query: { from: '2026-08-01', category: 'food', limit: '50' },
  })
  expect(shown).toContain('1,234.50 EUR')
  expect(shown.split('\n').filter((each) => each.includes('outside content'))).toHaveLength(1)
  expect(shown).toContain('2 of 3')
})

it('draws a bar for each line, measured by the largest of its currency', async () => {
  answer = {
    by: 'category',
    count: 4,
    totals: [
      { currency: 'EUR', amount: '60.00', count: 3 },
      { currency: 'JPY', amount: '900', count: 1 },
    ],
    lines: [
      { key: 'food', currency: 'EUR', amount: '40.00', count: 1, percent: 67 },
      { key: '', currency: 'EUR', amount: '20.00', count: 2, percent: 33 },
      { key: 'travel', currency: 'JPY', amount: '900', count: 1, percent: 100 },
    ],
  }
  const shown = (await text('expense summary')).split('\n')
  const marks = (words: string) => shown.find((each) => each.includes(words))?.match(/#/g)?.length
  expect(shown[0]).toBe('60.00 EUR in 3 expenses, by category')
  expect([marks('food'), marks('(none)'), marks('travel')]).toEqual([30, 15, 30])
  expect(shown.join('\n')).toContain('900 JPY in 1 expense')
})

it('says what to do where there is nothing', async () => {
  answer = { items: [], total: 0, limit: 50, offset: 0 }
  expect(await text('expense list')).toContain('countersign ask')
  expect(await text('expense list', [], { category: 'food' })).toContain('No expense fits.')
})

it('refuses what is no day, category, currency, group or format before it asks', async () => {
  for (const [name, options] of [
    ['expense list', { from: 'yesterday' }],
    ['expense list', { from: '2026-08-02', to: '2026-08-01' }],
    ['expense list', { category: 'fun' }],
    ['expense list', { limit: '0' }],
    ['expense summary', { currency: 'euro' }],
    ['expense summary', { by: 'colour' }],
    ['expense export', { format: 'pdf' }],
  ] as const)
    expect(await text(name, [], options), JSON.stringify(options)).toContain('--')
  expect(asked).toEqual([])
})

it('exports by a call of the tool, in the format of the path', async () => {
  answer = {}
  await text('expense export', ['taxes/2026.json'], { from: '2026-01-01' })
  expect(asked[0]).toMatchObject({ method: 'POST', path: '/v1/tools/export_expenses/call' })
  expect(JSON.parse(String((asked[0]?.body as { args: string } | undefined)?.args))).toEqual({
    format: 'json',
    path: 'taxes/2026.json',
    from: '2026-01-01',
  })
})
