/** Puts entries of the ledger into words for a terminal: a list, a line, and one entry whole. */
import {
  actorText,
  type LedgerEntryDetail,
  type LedgerEntryView,
  type LedgerFacet,
  type LedgerPage,
} from '@countersign/contract'
import type { Context } from '../context.ts'
import { columns, indent } from '../output/columns.ts'
import { line, lines } from '../output/safe-text.ts'
import { table } from '../output/table.ts'
import { tierDetail, tierLabel } from '../output/tier.ts'
import { clockTime } from '../output/time.ts'

export function pageText(page: LedgerPage, q: string, context: Context): string {
  const parts = [
    page.entries.length === 0 ? nothingText(page, q) : entriesText(page.entries, context),
    ...(page.facets ? [facetsText(page.facets, context)] : []),
    ...(page.next === null ? [] : [context.paint('quiet', olderText(page, q))]),
  ]
  return parts.filter((part) => part !== '').join('\n\n')
}

function nothingText({ looked, size, next }: LedgerPage, q: string): string {
  if (size === 0) return 'The ledger is empty. Its first entries come with setup.'
  const among = next === null ? `the ${size} entries` : `the ${looked} newest of them`
  return q === '' ? 'Nothing is there.' : `No match among ${among} for ${line(q)}.`
}

function olderText({ next, looked }: LedgerPage, q: string): string {
  const quoted = q === '' ? '' : ` '${line(q).replaceAll("'", String.raw`'\''`)}'`
  return `Searched ${looked} entries. Older ones: countersign ledger query${quoted} --before ${next}`
}

/** From here on the whole tier and every outcome have a column. */
const wide = 110

function entriesText(entries: readonly LedgerEntryView[], context: Context): string {
  const width = context.width()
  if (width !== undefined && width < wide) return columns(entries.map((entry) => narrowRow(entry, context)))
  const rows = entries.map((entry) => [
    `#${entry.seq}`,
    clockTime(entry.at, context.moment()),
    entry.tier === null ? '' : tierLabel(entry.tier, context.paint),
    outcomeText(entry, context),
    line(entry.sentence),
  ])
  return table(['Entry', 'When', 'Tier', 'Outcome', 'What happened'], rows, context.host.output.columns)
}

/** What happened has the room; an outcome is told where it is bad. */
function narrowRow(entry: LedgerEntryView, context: Context): string[] {
  const { seq, at, tier, outcome } = entry
  const bad = outcome !== null && badOutcomes.has(outcome)
  return [
    `#${seq}`,
    clockTime(at, context.moment()),
    tier === null ? '' : context.paint(tier, `T${tier}`),
    `${bad ? `${outcomeText(entry, context)}: ` : ''}${line(entry.sentence)}`,
  ]
}

export function rowText(entry: LedgerEntryView, context: Context): string {
  const tier = entry.tier === null ? '' : `${context.paint(entry.tier, `T${entry.tier}`)}  `
  return `#${entry.seq}  ${clockTime(entry.at, context.moment())}  ${tier}${line(entry.sentence)}`
}

const badOutcomes = new Set(['failed', 'denied', 'refused', 'unknown', 'error', 'invalid', 'missed'])

function outcomeText({ outcome }: LedgerEntryView, { paint }: Context): string {
  if (outcome === null) return ''
  return paint(badOutcomes.has(outcome) ? 'bad' : 'plain', line(outcome))
}

function facetsText(facets: readonly LedgerFacet[], { paint }: Context): string {
  return facets
    .filter(({ values }) => values.length > 0)
    .map(({ field, values }) => {
      const rows = values.slice(0, 8).map(({ value, count }) => [String(count), `${field}:${line(value)}`])
      return `${paint('strong', field)}\n${indent(columns(rows))}`
    })
    .join('\n')
}

export function detailText({ entry, body, exact, checkpoint }: LedgerEntryDetail, context: Context): string {
  const facts: [string, string | null][] = [
    ['Entry', `#${entry.seq}`],
    ['When', entry.at],
    ['Type', entry.type],
    ['Who', actorText(entry.actor)],
    ['Tier', entry.tier === null ? null : tierDetail(entry.tier, context.paint)],
    ['Outcome', entry.outcome],
    ['Tool', entry.tool],
    ['Call', entry.headline],
    ['Rules', entry.rules.length === 0 ? null : entry.rules.join(', ')],
    ['Run', entry.run],
    ['Conversation', entry.session],
    ['Call id', entry.call],
    ['Approval', entry.approval],
    ['Hash', entry.hash],
    ['Signed', checkpoint ? `by the checkpoint at ${checkpoint.size}, ${checkpoint.at}` : 'not yet'],
  ]
  const rows = facts.flatMap(([name, value]) => (value === null ? [] : [[name, line(value)]]))
  const why = entry.run === null ? '' : `\n\nWhy it happened: countersign why '#${entry.seq}'`
  return [
    context.paint('strong', line(entry.sentence)),
    columns(rows),
    `${context.paint('strong', 'What was recorded')}\n${indent(lines(JSON.stringify(entry.data, null, 2)))}`,
    `${context.paint('strong', exact ? 'The exact text of the hash' : 'The text, with a secret masked that became known later')}\n${indent(line(body))}${why}`,
  ].join('\n\n')
}
