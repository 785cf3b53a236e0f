/** Owns the words of the ledger screen for what the contract names by codes. */
import { type LedgerFacet, type LedgerTerm, type Tier, tierWord } from '@countersign/contract'
import type { Tone } from '../../kit/index.ts'

export const facetTitle: Readonly<Record<LedgerFacet['field'], string>> = {
  actor: 'Who',
  tool: 'Tool',
  type: 'Type',
  tier: 'Tier',
  outcome: 'Outcome',
}

export function facetTerm(field: LedgerFacet['field'], value: string): LedgerTerm {
  if (field === 'tier') return { kind: 'tier', compare: '=', tier: Number(value) as Tier, not: false }
  return { kind: 'is', field, value, not: false }
}

export function facetWords(field: LedgerFacet['field'], value: string): string {
  if (field === 'tier') return `T${value} ${tierWord[Number(value) as Tier]}`
  if (field !== 'actor') return value
  const [kind = '', ...rest] = value.split('/')
  const name = rest.join('/')
  if (kind === 'operator') return `You, ${name}`
  if (kind === 'agent') return `Agent ${name}`
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
  const not = 'not' in term && term.not ? 'not ' : ''
  switch (term.kind) {
    case 'is':
      return { name: `${not}${term.field}`, value: term.value }
    case 'tier':
      return { name: `${not}tier ${term.compare === '=' ? '' : term.compare}`.trim(), value: `T${term.tier}` }
    case 'time':
      return { name: term.edge, value: /^\d+[mhdw]$/.test(term.value) ? `${term.value} ago` : term.value }
    case 'text':
      return { name: not === '' ? 'words' : 'not', value: term.value }
  }
}

/** What stands ready for an empty query. */
export const presets: readonly { readonly label: string; readonly q: string }[] = [
  { label: 'Reached outside', q: 'tier>=3' },
  { label: 'Denied or failed', q: 'outcome:denied,failed,refused' },
  { label: 'Decided by you', q: 'type:approval.decided actor:you' },
  { label: 'What may run unasked', q: 'type:grant' },
  { label: 'Today', q: 'since:today' },
]

export function commandFor(q: string, seq: number | null): string {
  if (seq !== null) return `countersign ledger show ${seq}`
  return q === ''
    ? 'countersign ledger query'
    : `countersign ledger query '${q.replaceAll("'", String.raw`'\''`)}'`
}
