/**
 * Owns the words in which the ledger is asked: `actor:you tier>=3 tool:write_file since:7d "free text"`. Terms of one
 * field are alternatives, terms of different fields must all hold, and a minus before a term takes away what it names.
 * Refuses nothing silently: what cannot be read is a problem with its place and a next step.
 */
import { longestLedgerQuery } from './ledger-query-length.ts'
import type { Tier } from './trust.ts'

export const ledgerFields = [
  'actor',
  'type',
  'tool',
  'effect',
  'outcome',
  'rule',
  'run',
  'session',
  'call',
  'approval',
  'entry',
] as const
export type LedgerField = (typeof ledgerFields)[number]

export const comparisons = ['>=', '<=', '>', '<', '='] as const
export type Comparison = (typeof comparisons)[number]

export type LedgerTerm =
  | { readonly kind: 'is'; readonly field: LedgerField; readonly value: string; readonly not: boolean }
  | { readonly kind: 'tier'; readonly compare: Comparison; readonly tier: Tier; readonly not: boolean }
  /** As it was written: a span before now such as `7d`, a day, or a time. */
  | { readonly kind: 'time'; readonly edge: 'since' | 'until'; readonly value: string }
  | { readonly kind: 'text'; readonly value: string; readonly not: boolean }

export interface LedgerQuery {
  readonly terms: readonly LedgerTerm[]
}

export interface LedgerQueryProblem {
  /** Where in the text it begins, and how long it is. */
  readonly at: number
  readonly length: number
  readonly message: string
  readonly next: string
}

/** The terms that could be read stand in the query, whatever the others are. */
export interface ParsedLedgerQuery {
  readonly query: LedgerQuery
  readonly problems: readonly LedgerQueryProblem[]
}

export function parseLedgerQuery(text: string): ParsedLedgerQuery {
  if (text.length > longestLedgerQuery) {
    const message = `A query has at most ${longestLedgerQuery} characters.`
    const problem = { at: longestLedgerQuery, length: text.length - longestLedgerQuery, message }
    return { query: { terms: [] }, problems: [{ ...problem, next: 'Leave some terms out.' }] }
  }
  const terms: LedgerTerm[] = []
  const problems: LedgerQueryProblem[] = []
  for (const token of tokensOf(text)) {
    const read = termsOf(token)
    if ('message' in read) problems.push({ at: token.at, length: token.length, ...read })
    else terms.push(...read)
  }
  return { query: { terms }, problems }
}

/** The query as text that reads back as the same query. */
export function ledgerQueryText(query: LedgerQuery): string {
  return query.terms.map(ledgerTermText).join(' ')
}

export function ledgerTermText(term: LedgerTerm): string {
  switch (term.kind) {
    case 'is':
      return `${minus(term.not)}${term.field}:${quoted(term.value, plainValue)}`
    case 'tier':
      return `${minus(term.not)}tier${term.compare === '=' ? ':' : term.compare}${term.tier}`
    case 'time':
      return `${term.edge}:${quoted(term.value, plainValue)}`
    case 'text':
      return `${minus(term.not)}${quoted(term.value, plainWord)}`
  }
}

/** With this term; one that says the same is there once. */
export function withTerm(query: LedgerQuery, term: LedgerTerm): LedgerQuery {
  return { terms: [...withoutTerm(query, term).terms, term] }
}

export function withoutTerm(query: LedgerQuery, term: LedgerTerm): LedgerQuery {
  const gone = ledgerTermText(term)
  return { terms: query.terms.filter((each) => ledgerTermText(each) !== gone) }
}

interface Token {
  readonly at: number
  readonly length: number
  readonly not: boolean
  /** Null for words that stand alone. */
  readonly field: string | null
  readonly compare: Comparison | ':'
  readonly value: string
  readonly isQuoted: boolean
  readonly isOpen: boolean
}

type Complaint = Pick<LedgerQueryProblem, 'message' | 'next'>

const opening = /^(-?)(?:([A-Za-z_]+)(:|>=|<=|>|<|=))?/
const quote = /^"((?:[^"\\]|\\.)*)("?)/s
const bare = /^[^\s"]+/
const plainValue = /^[^\s",\\]+$/
const plainWord = /^[^\s",:<>=\\#-][^\s",:<>=\\]*$/

function tokensOf(text: string): Token[] {
  const tokens: Token[] = []
  for (let at = 0; at < text.length; ) {
    if (/\s/.test(text.charAt(at))) {
      at += 1
      continue
    }
    const [opened = '', sign, field, compare] = opening.exec(text.slice(at)) ?? []
    const rest = text.slice(at + opened.length)
    const inQuotes = quote.exec(rest)
    const whole = inQuotes ?? bare.exec(rest) ?? ['']
    const length = Math.max(1, opened.length + whole[0].length)
    tokens.push({
      at,
      length,
      not: sign === '-',
      field: field?.toLowerCase() ?? null,
      compare: (compare ?? ':') as Token['compare'],
      value: inQuotes ? (inQuotes[1] ?? '').replace(/\\(.)/gs, '$1') : whole[0],
      isQuoted: inQuotes !== null,
      isOpen: inQuotes !== null && inQuotes[2] === '',
    })
    at += length
  }
  return tokens
}

function termsOf(token: Token): LedgerTerm[] | Complaint {
  const { field, value, not } = token
  if (token.isOpen) return { message: 'A quotation mark is not closed.', next: 'Close it with another ".' }
  if (field === null) return freeTerms(token)
  if (value === '')
    return { message: `${field}: has no value.`, next: `Write one after it, as in ${example(field)}.` }
  if (field === 'since' || field === 'until') return timeTerm(field, token)
  if (field === 'tier') return tierTerms(token)
  if (!isField(field)) {
    return {
      message: `There is no field “${field}”.`,
      next: `Use ${[...ledgerFields, 'tier', 'since', 'until'].join(', ')}, or put the words in quotation marks to search for them.`,
    }
  }
  if (token.compare !== ':' && token.compare !== '=') {
    return { message: `Only tier can be compared with ${token.compare}.`, next: `Write ${field}:${value}.` }
  }
  const values = token.isQuoted ? [value] : value.split(',').filter((each) => each !== '')
  if (field === 'entry' && !values.every((each) => /^#?\d{1,15}$/.test(each)))
    return {
      message: `“${value}” is not the number of an entry.`,
      next: 'Write it as entry:31207 or #31207.',
    }
  return values.map((each) => ({
    kind: 'is' as const,
    field,
    value: field === 'entry' ? each.replace('#', '') : each,
    not,
  }))
}

function freeTerms({ value, isQuoted, not }: Token): LedgerTerm[] | Complaint {
  if (value === '') return { message: 'Nothing follows here.', next: 'Write a word, or take the sign away.' }
  if (!isQuoted && /^#\d{1,15}$/.test(value))
    return [{ kind: 'is', field: 'entry', value: value.slice(1), not }]
  return [{ kind: 'text', value, not }]
}

function tierTerms({ value, compare, not }: Token): LedgerTerm[] | Complaint {
  const digits = value.split(',').map((each) => /^[Tt]?([0-4])$/.exec(each)?.[1])
  if (digits.includes(undefined) || (digits.length > 1 && compare !== ':' && compare !== '='))
    return { message: `“${value}” is not a tier.`, next: 'Write a number from 0 to 4, as in tier>=3.' }
  return digits.map((digit) => ({
    kind: 'tier' as const,
    compare: compare === ':' ? ('=' as const) : compare,
    tier: Number(digit) as Tier,
    not,
  }))
}

function timeTerm(edge: 'since' | 'until', { value, compare, not }: Token): LedgerTerm[] | Complaint {
  if (not || (compare !== ':' && compare !== '='))
    return { message: `${edge} takes one time.`, next: `Write ${edge}:7d or ${edge}:2026-11-01.` }
  if (!isTime(value))
    return {
      message: `“${value}” is not a time.`,
      next: `Write a span such as 90m, 24h, 7d or 4w, the words today or yesterday, a day such as 2026-11-01, or a time such as 2026-11-01T14:30.`,
    }
  return [{ kind: 'time', edge, value }]
}

const relative = /^(\d{1,5})(m|h|d|w)$/
const date = /^\d{4}-\d{2}-\d{2}$/
const moment = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})?$/

function isTime(value: string): boolean {
  if (relative.test(value) || value === 'today' || value === 'yesterday') return true
  return (date.test(value) || moment.test(value)) && !Number.isNaN(Date.parse(value)) && isRealDate(value)
}

/** `Date.parse` takes the 31st of February for the 3rd of March. */
function isRealDate(value: string): boolean {
  const day = value.slice(0, 10)
  return new Date(`${day}T00:00:00Z`).toISOString().slice(0, 10) === day
}

function example(field: string): string {
  if (field === 'tier') return 'tier>=3'
  return field === 'since' || field === 'until' ? `${field}:7d` : `${field}:…`
}

function isField(field: string): field is LedgerField {
  return (ledgerFields as readonly string[]).includes(field)
}

const minus = (not: boolean): string => (not ? '-' : '')

function quoted(value: string, plain: RegExp): string {
  return plain.test(value) ? value : `"${value.replace(/["\\]/g, '\\$&')}"`
}
