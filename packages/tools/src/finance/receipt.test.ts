import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type JsonObject, readMoney } from '@countersign/contract'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { parseArgs } from '../definition.ts'
import { createBareWorkspace } from '../testing/bare-workspace.ts'
import { createRecordToolRunner } from '../testing/record-tool-runner.ts'
import { addExpense } from './add-expense.ts'
import { parseReceipt } from './parse-receipt.ts'
import { readReceipt } from './receipt.ts'

const german = `REWE Markt GmbH
Domstr. 20
50668 Köln
UID Nr.: DE812706034
EUR
MILCH 3,5%            1,19 B
BROT DINKEL           3,49 B
PFAND                 0,25 *
LEERGUT              -0,50 A
--------------------------------
SUMME          EUR     4,43
Geg. Mastercard EUR    4,43
Datum: 27.02.2026  Uhrzeit: 18:04:11
Netto 4,00  MwSt 0,43`

const american = `Joe's Diner
123 Main Street
03/04/2026 12:30 PM
Burger          $11.50
2 Coffee         $6.00
Subtotal        $17.50
Tax              $1.40
TOTAL           $18.90
VISA ****1234   $18.90
Thank you!`

const japanese = `らーめん一番
2026-03-01
ラーメン ¥1,200
合計
TOTAL JPY 1,200`

describe('a receipt', () => {
  it('is read where it has commas, deposits and taxes', () => {
    expect(readReceipt(german)).toEqual({
      merchant: 'REWE Markt GmbH',
      date: '2026-02-27',
      total: '4.43',
      currency: 'EUR',
      category: 'food',
      lines: [
        { description: 'MILCH 3,5%', amount: '1.19' },
        { description: 'BROT DINKEL', amount: '3.49' },
        { description: 'PFAND', amount: '0.25' },
        { description: 'LEERGUT', amount: '-0.50' },
      ],
      check: [],
    })
  })

  it('says what could be read in two ways, and where the sums differ', () => {
    expect(readReceipt(american)).toMatchObject({
      merchant: "Joe's Diner",
      date: '2026-03-04',
      total: '18.90',
      currency: 'USD',
      category: 'food',
      lines: [
        { description: 'Burger', amount: '11.50' },
        { description: '2 Coffee', amount: '6.00' },
      ],
      check: [
        'The sign of the currency is not of USD alone.',
        'Day and month could be the other way round.',
        'The lines come to 17.50 and not to the total of 18.90 USD.',
      ],
    })
    expect(readReceipt(american, 'CAD')).toMatchObject({ currency: 'CAD', date: '2026-04-03' })
  })

  it('has whole amounts where the currency has no smaller unit', () => {
    expect(readReceipt(japanese)).toMatchObject({
      total: '1200',
      currency: 'JPY',
      date: '2026-03-01',
      check: [],
    })
  })

  it.each([
    ['Total 1.234,50 €', '1234.50'],
    ['Total € 1,234.50', '1234.50'],
    ["Total CHF 1'234.50", '1234.50'],
    ['Total KWD 1.250', '1.250'],
    ['Total EUR 12.345', null],
    ['Total EUR 12', null],
    ['Amount due: 9.00 EUR\nTotal 8.00 EUR', '9.00'],
    ['Total\n7.50 EUR', '7.50'],
    ['Total VAT 7.50 EUR', null],
  ])('has of %j the total %j', (text, total) => {
    expect(readReceipt(text).total).toBe(total)
  })

  it.each([
    ['Rechnung vom 3. März 2026', '2026-03-03'],
    ['Mar 3, 2026', '2026-03-03'],
    ['31/01/26', '2026-01-31'],
    ['30.02.2026', null],
    ['Table 12-13', null],
  ])('has of %j the day %j', (text, date) => {
    expect(readReceipt(text).date).toBe(date)
  })

  it('is of no known currency, total or day where it says none', () => {
    expect(readReceipt('TOP ALL\nHello')).toEqual({
      merchant: 'TOP ALL',
      date: null,
      total: null,
      currency: null,
      category: 'other',
      lines: [],
      check: ['The currency was not found.', 'The total was not found.', 'The day was not found.'],
    })
  })

  it('gives fields that are what they say, whatever the text is', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 30 }),
      fc.constantFrom('TOTAL ', '1.234,50', ' EUR', '\n', '03/04/2026', '-', '€', "9'999.99", '\u202E', '='),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const { merchant, total, currency, date, lines } = readReceipt(pieces.join(''))
        if (merchant !== null) expect(merchant).toMatch(/^[^\p{Cc}\p{Cf}]{1,200}$/u)
        if (date !== null) expect(date).toMatch(/^20\d\d-\d\d-\d\d$/)
        for (const amount of [...lines.map((line) => line.amount), ...(total === null ? [] : [total])])
          expect(readMoney(amount, currency ?? 'EUR').kind).toBe('money')
      }),
      { numRuns: 40 },
    )
  })

  it('is read in time, however long its lines are', () => {
    const slow = [
      `${'1.'.repeat(25_000)}`,
      `${' a'.repeat(25_000)}`,
      '1,'.repeat(50).concat('\n').repeat(500),
    ]
    for (const text of slow) expect(readReceipt(`${text}\nTOTAL EUR 5.00`).lines.length).toBeLessThan(101)
  })
})

describe('parse_receipt', () => {
  const workspace = createBareWorkspace()
  afterAll(() => workspace.remove())
  const put = (name: string, content: string | Uint8Array) =>
    writeFileSync(join(workspace.root, name), content)

  it('reads a text file, and gives what add_expense takes', async () => {
    put('receipt.txt', german)
    const { result, resources } = await workspace.use(parseReceipt, { path: 'receipt.txt' })
    expect(resources).toMatchObject([{ type: 'file', op: 'read', path: 'receipt.txt' }])
    expect(result).toMatchObject({ ok: true, undo: null, summary: 'Read a receipt of 4.43 EUR' })
    expect(result.text).toMatch(/^Nothing is kept yet\./)
    const [, draft = ''] = /^Then for add_expense: (.*)$/m.exec(result.text) ?? []
    const records = createRecordToolRunner()
    await records.use(addExpense, JSON.parse(draft) as JsonObject)
    const { records: kept } = await records.records.list('expenses', { limit: 9 })
    expect(kept).toMatchObject([{ data: { amountMinor: 443, payee: 'REWE Markt GmbH', date: '2026-02-27' } }])
  })

  it('takes text alone, and touches nothing then', async () => {
    const { result, resources } = await workspace.use(parseReceipt, { text: 'Cafe\nTotal 3.00' })
    expect(resources).toEqual([])
    expect(result.text).toContain('To be filled in: currency, date.')
    expect(parseArgs(parseReceipt, {}).kind).toBe('invalid')
    expect(parseArgs(parseReceipt, { text: 'a', path: 'b' }).kind).toBe('invalid')
    expect(parseArgs(parseReceipt, { image: 'a.png', path: 'b' }).kind).toBe('invalid')
  })

  it('says what to do with what is neither text nor a PDF nor a picture', async () => {
    put('odd.txt', new Uint8Array([0x25, 0x00, 0x01]))
    const { result } = await workspace.use(parseReceipt, { path: 'odd.txt' })
    expect(result).toMatchObject({ ok: false, text: expect.stringContaining('is neither text nor') })
    expect(await workspace.resolve(parseReceipt, { path: 'missing.txt' })).toMatchObject({ kind: 'invalid' })
  })
})
