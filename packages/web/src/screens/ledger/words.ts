/** Owns the words of the ledger screen for what the contract names by codes. */
import type { LedgerFacet, LedgerTerm, Tier } from '@countersign/contract'
import type { Tone } from '../../kit/index.ts'
import { words as common } from '../../words/common.ts'
import { words } from '../../words/ledger.tsx'

export function facetTerm(field: LedgerFacet['field'], value: string): LedgerTerm {
  if (field === 'tier') return { kind: 'tier', compare: '=', tier: Number(value) as Tier, not: false }
  return { kind: 'is', field, value, not: false }
}

export function facetWords(field: LedgerFacet['field'], value: string): string {
  if (field === 'tier') return common.tier.names[Number(value) as Tier]
  if (field !== 'actor') return value
  const [kind = '', ...rest] = value.split('/')
  const name = rest.join('/')
  if (kind === 'operator') return words.facets.you(name)
  if (kind === 'agent') return words.facets.agent(name)
  return name === kind ? 'Countersign' : `Countersign, ${name}`
}

const badOutcomes = new Set(['failed', 'denied', 'refused', 'error', 'invalid', 'missed', 'budget', 'limit'])
const openOutcomes = new Set([
  'unknown',
  'expired',
  'withdrawn',
  'superseded',
  'stopped',
  'skipped',
  'manual',
])

export function outcomeTone(outcome: string): Tone {
  if (badOutcomes.has(outcome)) return 'bad'
  return openOutcomes.has(outcome) ? 'waiting' : 'plain'
}

/** A term as people say it, for the chip. */
export function termWords(term: LedgerTerm): { readonly name: string; readonly value: string } {
  const named = (field: string) => ('not' in term && term.not ? words.query.not(field) : field)
  switch (term.kind) {
    case 'is':
      return { name: named(term.field), value: term.value }
    case 'tier':
      return {
        name: named(`tier ${term.compare === '=' ? '' : term.compare}`.trim()),
        value: `T${term.tier}`,
      }
    case 'time':
      return {
        name: term.edge,
        value: /^\d+[mhdw]$/.test(term.value) ? words.query.ago(term.value) : term.value,
      }
    case 'text':
      return { name: term.not ? words.query.notText : words.query.text, value: term.value }
  }
}

/** What stands ready for an empty query. */
export const presets: readonly { readonly label: string; readonly q: string }[] = [
  { label: words.query.outside, q: 'tier>=3' },
  { label: words.query.failed, q: 'outcome:denied,failed,refused' },
  { label: words.query.yours, q: 'type:approval.decided actor:you' },
  { label: words.query.unasked, q: 'type:grant' },
  { label: words.query.today, q: 'since:today' },
]

export function commandFor(q: string, seq: number | null): string {
  if (seq !== null) return `countersign ledger show ${seq}`
  return q === ''
    ? 'countersign ledger query'
    : `countersign ledger query '${q.replaceAll("'", String.raw`'\''`)}'`
}
