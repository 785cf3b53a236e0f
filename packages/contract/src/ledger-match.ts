/** Owns whether an entry of the ledger answers a query: the same on the gateway, in a terminal and in a browser. */
import type { LedgerEntryView } from './api-ledger.ts'
import type { Comparison, LedgerField, LedgerQuery, LedgerTerm } from './ledger-query.ts'
import { dayOf, spanOf, type Zone } from './period.ts'

/** When and where the query is asked, for what is relative in it. */
export interface AskedAt {
  readonly now: Date
  readonly zone: Zone
}

/** A query with its times worked out. */
export interface ReadyLedgerQuery {
  /** Whatever is left out is not asked for. */
  readonly since: Date | null
  /** The first moment that no longer counts. */
  readonly until: Date | null
  readonly matches: (entry: LedgerEntryView) => boolean
}

export function readyLedgerQuery(query: LedgerQuery, asked: AskedAt): ReadyLedgerQuery {
  const times = { since: edgeOf(query, 'since', asked), until: edgeOf(query, 'until', asked) }
  const wanted = Map.groupBy(query.terms.filter(isWanted), groupOf)
  const unwanted = query.terms.filter((term) => 'not' in term && term.not)
  return {
    ...times,
    matches(entry) {
      const at = Date.parse(entry.at)
      if (times.since && at < times.since.getTime()) return false
      if (times.until && at >= times.until.getTime()) return false
      for (const alternatives of wanted.values()) {
        if (!alternatives.some((term) => holds(term, entry))) return false
      }
      return !unwanted.some((term) => holds(term, entry))
    },
  }
}

/** What an actor is called in a query: `operator/laptop`, `task/run_0198…`, `gateway/scheduler`. */
export function actorText({ kind, id, name }: LedgerEntryView['actor']): string {
  return kind === 'agent' && name !== id ? `${name}/${id}` : `${kind}/${id}`
}

/** What an actor is counted under: an agent by its name, since each of its runs has an id of its own. */
export function actorGroup({ kind, name }: LedgerEntryView['actor']): string {
  return `${kind}/${name}`
}

function isWanted(term: LedgerTerm): boolean {
  return term.kind !== 'time' && !term.not
}

/** Words must all be there; bounds on the tier too. Everything else of one field is a choice. */
function groupOf(term: LedgerTerm): string {
  if (term.kind === 'is') return term.field
  if (term.kind === 'tier') return term.compare === '=' ? 'tier' : `tier ${term.compare}${term.tier}`
  return term.kind === 'text' ? `text ${term.value}` : term.kind
}

function holds(term: LedgerTerm, entry: LedgerEntryView): boolean {
  switch (term.kind) {
    case 'is':
      return fieldHolds[term.field](term.value.toLowerCase(), entry)
    case 'tier':
      return entry.tier !== null && compared[term.compare](entry.tier, term.tier)
    case 'text':
      return hasText(entry, term.value.toLowerCase())
    case 'time':
      return true
  }
}

const compared: Readonly<Record<Comparison, (left: number, right: number) => boolean>> = {
  '>=': (left, right) => left >= right,
  '<=': (left, right) => left <= right,
  '>': (left, right) => left > right,
  '<': (left, right) => left < right,
  '=': (left, right) => left === right,
}

const fieldHolds: Readonly<Record<LedgerField, (value: string, entry: LedgerEntryView) => boolean>> = {
  actor: isActor,
  type: (value, { type }) => isPart(type, value, '.'),
  tool: (value, { tool }) => tool?.toLowerCase() === value,
  effect: (value, { effects }) => effects.includes(value),
  outcome: (value, { outcome }) => outcome === value,
  rule: (value, { rules }) => rules.some((rule) => isPart(rule.toLowerCase(), value, '.')),
  run: (value, { run }) => isId(run, value),
  session: (value, { session }) => isId(session, value),
  call: (value, { call }) => isId(call, value),
  approval: (value, { approval, data }) =>
    isId(approval, value) || (typeof data['code'] === 'string' && data['code'].toLowerCase() === value),
  entry: (value, { seq }) => seq === Number(value),
}

function isActor(value: string, { actor }: LedgerEntryView): boolean {
  const kind = actor.kind
  const name = actor.name.toLowerCase()
  const id = actor.id.toLowerCase()
  if (value === 'you') return kind === 'operator'
  if (value === kind || value === name || value === `${kind}/${name}`) return true
  const [owner, rest] = value.includes('/') ? value.split('/', 2) : [undefined, value]
  return (owner === undefined || owner === kind || owner === name) && isId(id, rest ?? '')
}

/** `approval` is the group of `approval.decided`. */
function isPart(whole: string, value: string, separator: string): boolean {
  return whole === value || whole.startsWith(value.endsWith(separator) ? value : `${value}${separator}`)
}

/** An id is long, and people copy its beginning or its end; four characters at least, so that it says something. */
function isId(id: string | null, value: string): boolean {
  if (id === null) return false
  return id === value || (value.length >= 4 && (id.startsWith(value) || id.endsWith(value)))
}

function hasText(entry: LedgerEntryView, words: string): boolean {
  return (
    entry.sentence.toLowerCase().includes(words) ||
    entry.type.includes(words) ||
    JSON.stringify(entry.data).toLowerCase().includes(words)
  )
}

/** The latest `since` and the earliest `until`. */
function edgeOf(query: LedgerQuery, edge: 'since' | 'until', asked: AskedAt): Date | null {
  const times = query.terms.flatMap((term) =>
    term.kind === 'time' && term.edge === edge ? [momentOf(term.value, edge, asked).getTime()] : [],
  )
  if (times.length === 0) return null
  return new Date(edge === 'since' ? Math.max(...times) : Math.min(...times))
}

const unitMs = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const

function momentOf(value: string, edge: 'since' | 'until', { now, zone }: AskedAt): Date {
  const [, count, unit] = /^(\d+)(m|h|d|w)$/.exec(value) ?? []
  if (count !== undefined)
    return new Date(now.getTime() - Number(count) * unitMs[unit as keyof typeof unitMs])
  const today = spanOf('day', now, zone)
  if (value === 'today') return edge === 'since' ? today.from : (today.until ?? now)
  if (value === 'yesterday')
    return edge === 'since' ? spanOf('day', new Date(today.from.getTime() - 1), zone).from : today.from
  const day = value.slice(0, 10)
  if (value.length === 10) return dayOf(day, zone)[edge === 'since' ? 'from' : 'until']
  if (/(Z|[+-]\d{2}:\d{2})$/.test(value)) return new Date(value)
  // A time of the operator's own clock: so long after their midnight.
  const sinceMidnight = Date.parse(`${value}Z`) - Date.parse(`${day}T00:00:00Z`)
  return new Date(dayOf(day, zone).from.getTime() + sinceMidnight)
}
