/** Owns what expenses come to: whole numbers, added up for each currency by itself and never across. */
import {
  amountText,
  type ExpenseGroup,
  type ExpenseLine,
  type ExpenseSummary,
  type ExpenseTotal,
  type JsonObject,
  type RecordQuery,
  type Records,
  type StoredRecord,
} from '@countersign/contract'
import { textIn } from '../records/collection.ts'
import { expenses } from './expenses.ts'

/** All that a query finds, page by page. */
export async function everyExpense(
  records: Records,
  query: Omit<RecordQuery, 'limit' | 'offset'>,
): Promise<StoredRecord[]> {
  const found: StoredRecord[] = []
  for (;;) {
    const page = await records.list(expenses.name, { ...query, limit: pageSize, offset: found.length })
    found.push(...page.records)
    if (page.records.length < pageSize) return found
  }
}

const pageSize = 1_000

export function summaryOf(found: readonly Pick<StoredRecord, 'data'>[], by: ExpenseGroup): ExpenseSummary {
  const totals = new Map<string, Sum>()
  const lines = new Map<string, Sum & { readonly key: string }>()
  for (const { data } of found) {
    const currency = textIn(data, 'currency')
    const minor = BigInt(Number(data['amountMinor']))
    const total = totals.get(currency) ?? { currency, ...nothing }
    totals.set(currency, total)
    add(total, minor)
    for (const key of keysOf(data, by)) {
      const line = lines.get(`${currency} ${key}`) ?? { currency, key, ...nothing }
      lines.set(`${currency} ${key}`, line)
      add(line, minor)
    }
  }
  const spent = (currency: string) => totals.get(currency)?.spent ?? 0n
  return {
    by,
    count: found.length,
    totals: [...totals.values()]
      .toSorted((one, other) => inOrder(one.currency, other.currency))
      .map(toldTotal),
    lines: [...lines.values()]
      .toSorted((one, other) => inOrder(one.currency, other.currency) || orderOf(by, one, other))
      .map((line) => ({
        key: line.key,
        ...toldTotal(line),
        percent: percentOf(line.sum, spent(line.currency)),
      })),
  }
}

interface Sum {
  readonly currency: string
  sum: bigint
  /** Without what came back. */
  spent: bigint
  count: number
}

const nothing = { sum: 0n, spent: 0n, count: 0 }

function add(sum: Sum, minor: bigint): void {
  sum.sum += minor
  if (minor > 0n) sum.spent += minor
  sum.count += 1
}

function keysOf(data: JsonObject, by: ExpenseGroup): string[] {
  const day = textIn(data, 'date')
  switch (by) {
    case 'day':
      return [day]
    case 'month':
      return [day.slice(0, 7)]
    case 'year':
      return [day.slice(0, 4)]
    case 'tag': {
      const { tags } = data
      return Array.isArray(tags) && tags.length > 0 ? [...new Set(tags.map(String))] : ['']
    }
    default:
      return [textIn(data, by)]
  }
}

/** Times in their order, all else with the largest sum first. */
function orderOf(by: ExpenseGroup, one: Sum & { key: string }, other: Sum & { key: string }): number {
  const isTime = by === 'day' || by === 'month' || by === 'year'
  if (!isTime && one.sum !== other.sum) return one.sum > other.sum ? -1 : 1
  return inOrder(one.key, other.key)
}

function inOrder(one: string, other: string): number {
  return one === other ? 0 : one < other ? -1 : 1
}

function toldTotal({ currency, sum, count }: Sum): ExpenseTotal {
  return { currency, amount: amountText(sum, currency), count }
}

/** Rounded to the nearest whole. */
function percentOf(sum: bigint, whole: bigint): ExpenseLine['percent'] {
  if (whole === 0n || sum <= 0n) return 0
  return Number((sum * 200n + whole) / (whole * 2n))
}
