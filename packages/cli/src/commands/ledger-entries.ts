/** `countersign ledger query` and `show`: what happened, in sentences, each with its number and its hash. */
import type { Handler, OptionValues } from '../context.ts'
import { done } from '../output/answer.ts'
import { usage } from '../output/failure.ts'
import { line } from '../output/safe-text.ts'
import { countIn, problemOf, unread } from './ledger-query.ts'
import { detailText, pageText } from './ledger-words.ts'

export const query: Handler = async (context, [text = ''], options) => {
  const problem = problemOf(text)
  if (problem) return unread(text, problem)
  const ask = askOf(text, options)
  if (typeof ask === 'string') return usage(ask, 'ledger query')
  const page = await (await context.gateway()).client.ledger(ask)
  return done({ ...page }, () => pageText(page, text, context))
}

export const show: Handler = async (context, [number = '']) => {
  const seq = Number(number.replace(/^#/, ''))
  if (!Number.isSafeInteger(seq) || seq < 1)
    return usage(`“${line(number)}” is not the number of an entry.`, 'ledger show')
  const detail = await (await context.gateway()).client.ledgerEntry(seq)
  return done({ ...detail }, () => detailText(detail, context))
}

function askOf(q: string, options: OptionValues) {
  const limit = countIn(options['limit'], 50)
  if (limit === undefined || limit < 1) return '--limit is a number from 1 to 500.'
  const before = numberIn(options['before'])
  if (before === null) return '--before is the number of an entry.'
  return { q, limit, facets: options['facets'] === true, ...(before === undefined ? {} : { before }) }
}

/** Null where something else than a number is given. */
function numberIn(value: OptionValues[string]): number | null | undefined {
  if (typeof value !== 'string') return undefined
  const number = Number(value.replace(/^#/, ''))
  return Number.isSafeInteger(number) && number > 0 ? number : null
}
