/** Owns which entries stand in the list: machine traffic only on request, and one line for each act. Pure. */
import { type LedgerEntryView, parseLedgerQuery } from '@countersign/contract'

/** What the machine does on its own: calls to a model, which are half of all entries, and old messages put away. */
const machineTypes = ['model.called', 'session.archived'] as const

/** The query that is asked. One that names a type or an entry already says what it wants. */
export function withoutMachine(q: string, machine: boolean): string {
  const { query } = parseLedgerQuery(q)
  const names = query.terms.some(
    (term) => term.kind === 'is' && (term.field === 'type' || term.field === 'entry'),
  )
  if (machine || names) return q
  return [q, ...machineTypes.map((type) => `-type:${type}`)].join(' ').trim()
}

/** The permission of an act that then ran says nothing that its outcome does not: the outcome stands for both. */
export function oneLinePerAct(entries: readonly LedgerEntryView[]): readonly LedgerEntryView[] {
  const ended = new Set(
    entries.flatMap(({ type, call }) => (type === 'effect.outcome' && call !== null ? [call] : [])),
  )
  return entries.filter(({ type, call }) => type !== 'effect.intended' || call === null || !ended.has(call))
}

/** The day of an entry where the reader is, to compare and to show. */
export const dayKey = (at: string): string => new Date(at).toDateString()
