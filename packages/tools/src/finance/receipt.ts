/**
 * Reads the text of a receipt: who was paid, when, how much and for what. By fixed rules, line by line; what they do not
 * find is null, and what could be read in two ways is said. It decides nothing: a person corrects it first.
 */
import { amountText, type Expense, isDay, minorDigits, readMoney } from '@countersign/contract'
import {
  besideTotal,
  categoryWords,
  currencySigns,
  months,
  notMerchant,
  sharedSigns,
  totalWords,
} from './receipt-words.ts'

export interface Receipt {
  readonly merchant: string | null
  readonly date: string | null
  readonly total: string | null
  readonly currency: string | null
  readonly category: Expense['category']
  readonly lines: readonly { readonly description: string; readonly amount: string }[]
  /** What to look at before anything is kept. */
  readonly check: readonly string[]
}

/** More is no receipt. */
export const longestReceipt = 50_000
const mostLines = 500
const longestLine = 200
const mostItems = 100

export function readReceipt(text: string, given?: string): Receipt {
  const rows = text
    .slice(0, longestReceipt)
    .split(/\r\n|[\n\r\f\u2028\u2029]/)
    .map((row) =>
      row
        .replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
        .trim()
        .slice(0, longestLine)
        .toWellFormed()
        .normalize('NFC'),
    )
    .filter((row) => row !== '')
    .slice(0, mostLines)
  const found = given === undefined ? currencyIn(rows.join('\n')) : { currency: given, isShared: false }
  const { currency } = found
  const day = dateIn(rows, currency)
  const total = totalIn(rows, currency)
  const items = itemsIn(rows.slice(0, total?.row ?? rows.length), currency)
  const check = [
    ...(currency === null ? ['The currency was not found.'] : []),
    ...(found.isShared ? [`The sign of the currency is not of ${currency} alone.`] : []),
    ...(total === undefined ? ['The total was not found.'] : []),
    ...(day === undefined ? ['The day was not found.'] : []),
    ...(day?.isDoubtful ? ['Day and month could be the other way round.'] : []),
    ...(total && currency !== null ? differenceOf(items, total.amount, currency) : []),
  ]
  return {
    merchant: rows.slice(0, 8).find((row) => isName(row) && amountAtEnd(row, currency) === undefined) ?? null,
    date: day?.date ?? null,
    total: total?.amount ?? null,
    currency,
    category: categoryWords.find(([, words]) => rows.some((row) => words.test(row)))?.[0] ?? 'other',
    lines: items,
    check,
  }
}

function isName(row: string): boolean {
  return (row.match(/\p{L}/gu)?.length ?? 0) >= 3 && !notMerchant.test(row)
}

/** The one that stands there most often. A code counts beside a number only: TOP and ALL are codes and words. */
function currencyIn(text: string): { currency: string | null; isShared: boolean } {
  const counts = new Map<string, number>()
  const count = (currency: string) => counts.set(currency, (counts.get(currency) ?? 0) + 1)
  for (const [, before, after] of text.matchAll(/\b([A-Z]{3}) ?(?=-?\d)|\d ?([A-Z]{3})\b/g)) {
    const code = before ?? after ?? ''
    if (minorDigits(code) !== undefined) count(code)
  }
  const isCoded = counts.size > 0
  for (const [sign, currency] of currencySigns) for (const _ of text.match(sign) ?? []) count(currency)
  const [first] = [...counts].toSorted(([, one], [, other]) => other - one)
  if (!first) return { currency: null, isShared: false }
  return { currency: first[0], isShared: !isCoded && sharedSigns.has(first[0]) }
}

function totalIn(
  rows: readonly string[],
  currency: string | null,
): { amount: string; row: number } | undefined {
  for (const words of totalWords) {
    const at = rows.findLastIndex(
      (row, index) =>
        words.test(row) && !besideTotal.test(row) && totalAt(rows, index, currency) !== undefined,
    )
    const amount = at < 0 ? undefined : totalAt(rows, at, currency)
    if (amount !== undefined) return { amount, row: at }
  }
  return undefined
}

/** On the line of the word, or alone on the next. */
function totalAt(rows: readonly string[], at: number, currency: string | null): string | undefined {
  const next = rows[at + 1] ?? ''
  return (
    amountAtEnd(rows[at] ?? '', currency) ??
    (/\p{L}{4}/u.test(next) ? undefined : amountAtEnd(next, currency))
  )
}

function itemsIn(rows: readonly string[], currency: string | null): Receipt['lines'] {
  return rows
    .flatMap((row) => {
      const end = figureAtEnd(row, currency)
      if (!end || besideTotal.test(row) || notMerchant.test(row)) return []
      const description = row.slice(0, end.at).replace(/(?: [A-Z]{3})?[^\p{L}\p{N}%)]*$/u, '')
      const isItem = (description.match(/\p{L}/gu)?.length ?? 0) >= 2
      return isItem ? [{ description, amount: end.amount }] : []
    })
    .slice(0, mostItems)
}

function amountAtEnd(row: string, currency: string | null): string | undefined {
  return figureAtEnd(row, currency)?.amount
}

/** The last figure of a line, where nothing but a currency or the letter of a tax follows it. */
function figureAtEnd(row: string, currency: string | null): { amount: string; at: number } | undefined {
  const [all = '', figure = ''] =
    /(?:^|(?<=[^\d.,:/-]))(-?\d[\d.,'’]{0,20}-?) ?(?:[A-Z]{3}|[€£¥₹₺₩₴$]|zł|Kč)? ?[A-Z*]?$/u.exec(row) ?? []
  const amount = figure === '' ? undefined : decimalOf(figure, currency)
  return amount === undefined ? undefined : { amount, at: row.length - all.length }
}

/** `1.234,50`, `1,234.50`, `1'234.50`, `3,00-`: the last mark is the point where as many figures follow as there are decimals. */
function decimalOf(figure: string, currency: string | null): string | undefined {
  const digits = minorDigits(currency ?? 'EUR') ?? 2
  const sign = figure.startsWith('-') || figure.endsWith('-') ? '-' : ''
  const bare = figure.replaceAll(/^-|-$/g, '')
  const [, whole = '', fraction] = /^(.*?)(?:[.,](\d+))?$/.exec(bare) ?? []
  const isPoint = digits > 0 && fraction?.length === digits
  if (digits > 0 && !isPoint) return undefined
  const marked = isPoint ? whole : bare
  if (!/^\d+$/.test(marked) && !/^\d{1,3}(?:[.,'’]\d{3})+$/.test(marked)) return undefined
  const plain = `${sign}${marked.replaceAll(/\D/g, '')}${isPoint ? `.${fraction}` : ''}`
  const money = readMoney(plain, currency ?? 'EUR')
  return money.kind === 'money' ? money.text : undefined
}

function dateIn(
  rows: readonly string[],
  currency: string | null,
): { date: string; isDoubtful: boolean } | undefined {
  for (const row of rows) {
    const found = dateOf(row, currency)
    if (found && isDay(found.date)) return found
  }
  return undefined
}

function dateOf(row: string, currency: string | null): { date: string; isDoubtful: boolean } | undefined {
  const sure = (year = '', month = '', day = '') => ({
    date: `${year.length === 2 ? `20${year}` : year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`,
    isDoubtful: false,
  })
  const iso = /\b(20\d\d)-(\d\d)-(\d\d)\b/.exec(row)
  if (iso) return sure(iso[1], iso[2], iso[3])
  const dotted = /\b(\d{1,2})\. ?(\d{1,2})\. ?(20\d\d|\d\d)\b/.exec(row)
  if (dotted) return sure(dotted[3], dotted[2], dotted[1])
  const named = /\b(\d{1,2})\.? ?(\p{L}{3,9})\.? ,?(20\d\d)\b/u.exec(row)
  if (named) return sure(named[3], months[(named[2] ?? '').slice(0, 3).toLowerCase()], named[1])
  const english = /\b(\p{L}{3,9})\.? (\d{1,2}), ?(20\d\d)\b/u.exec(row)
  if (english) return sure(english[3], months[(english[1] ?? '').slice(0, 3).toLowerCase()], english[2])
  const [, first, second, year] = /\b(\d{1,2})[/-](\d{1,2})[/-](20\d\d|\d\d)\b/.exec(row) ?? []
  if (first === undefined) return undefined
  const monthFirst = Number(second) > 12 || (Number(first) <= 12 && currency === 'USD')
  const isDoubtful = Number(first) <= 12 && Number(second) <= 12 && first !== second
  return { ...(monthFirst ? sure(year, first, second) : sure(year, second, first)), isDoubtful }
}

function differenceOf(items: Receipt['lines'], total: string, currency: string): string[] {
  const minorOf = (amount: string) => {
    const money = readMoney(amount, currency)
    return money.kind === 'money' ? BigInt(money.minor) : 0n
  }
  const sum = items.reduce((all, { amount }) => all + minorOf(amount), 0n)
  if (items.length === 0 || sum === minorOf(total)) return []
  return [`The lines come to ${amountText(sum, currency)} and not to the total of ${total} ${currency}.`]
}
