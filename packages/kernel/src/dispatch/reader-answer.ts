/**
 * Owns in which form a reader answers. Text stays a stranger's. A date, an amount, a yes or no, or one of the caller's
 * own options is checked here, to the character, and comes back alone: whatever else the reader said is dropped.
 */
import type { JsonObject } from '@countersign/contract'

export interface AnswerForm {
  readonly kind: 'text' | 'date' | 'amount' | 'yes_no' | 'one_of'
  readonly options: readonly string[]
  /** How the reader is told to answer; empty for text. */
  readonly told: string
}

export type CheckedAnswer =
  | { readonly kind: 'text' | 'value'; readonly text: string; readonly summary: string }
  /** Nothing of what the reader said is in it. */
  | { readonly kind: 'refused'; readonly reason: string }

const longestText = 20_000
/** What a reader says that found nothing, in every form but text. */
const notFound = 'unknown'
const orNothing = `If the web does not say, reply with exactly: ${notFound}`
const alone = 'Reply with it alone, without any other word or sign.'

/** By the canonical arguments of the call. In doubt it is text. */
export function answerFormOf({ answer }: JsonObject): AnswerForm {
  const { kind, options: given } =
    typeof answer === 'object' && answer !== null && !Array.isArray(answer) ? answer : {}
  switch (kind) {
    case 'date':
      return { kind, options: [], told: `The answer is a date, written as YYYY-MM-DD. ${alone} ${orNothing}` }
    case 'amount':
      return {
        kind,
        options: [],
        told: `The answer is an amount of money, written as 12.50 EUR. ${alone} ${orNothing}`,
      }
    case 'yes_no':
      return { kind, options: [], told: `The answer is yes or no. ${alone} ${orNothing}` }
    case 'one_of': {
      const options = Array.isArray(given) ? given.filter((each) => typeof each === 'string') : []
      const list = options.map((each) => `- ${each}`).join('\n')
      return {
        kind,
        options,
        told: `The answer is one of these, written exactly so:\n${list}\n${alone} ${orNothing}`,
      }
    }
    default:
      return { kind: 'text', options: [], told: '' }
  }
}

export function checkAnswer(form: AnswerForm, said: string): CheckedAnswer {
  const text = said.trim()
  if (form.kind === 'text') {
    if (text === '') return { kind: 'refused', reason: 'The reader gave no answer.' }
    return { kind: 'text', text: text.slice(0, longestText).toWellFormed(), summary: 'Read the web' }
  }
  if (text === notFound) return { kind: 'refused', reason: 'The reader found no answer on the web.' }
  if (!isOfForm(form, text))
    return { kind: 'refused', reason: `What the reader found is no ${formNames[form.kind]}.` }
  return { kind: 'value', text, summary: `Read the web: ${text}` }
}

const formNames = {
  date: 'date',
  amount: 'amount of money',
  yes_no: 'yes or no',
  one_of: 'option of the question',
} as const

function isOfForm({ kind, options }: AnswerForm, text: string): boolean {
  switch (kind) {
    case 'date':
      return isDate(text)
    case 'amount':
      return isAmount(text)
    case 'yes_no':
      return text === 'yes' || text === 'no'
    case 'one_of':
      return options.includes(text)
    case 'text':
      return false
  }
}

/** A day that there is. */
function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const day = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)
}

/** Letters only where they name a currency that there is: three free letters would be a word. */
function isAmount(text: string): boolean {
  const [, currency] = /^-?(?:0|[1-9]\d{0,11})(?:\.\d{1,4})? ([A-Z]{3})$/.exec(text) ?? []
  return currency !== undefined && Intl.supportedValuesOf('currency').includes(currency)
}
