/** What ledger sentences are made of: who did it, what it is called, how much it was. In English, where it has words. */
import {
  type JsonObject,
  type JsonValue,
  type Language,
  type LedgerActor,
  plural,
  smallestUsd,
} from '@countersign/contract'

/** What is known of an entry when it is put into words. */
export interface EntryFacts {
  readonly type: string
  readonly actor: LedgerActor
  readonly data: JsonObject
  readonly tool: string | null
  readonly headline: string | null
  /** The short code of the request. */
  readonly code: string | null
  /** The device on which the request was approved that the call ran with. */
  readonly approvedOn: string | null
  /** Names of agents, automations, goals and grants, by id. */
  readonly names: ReadonlyMap<string, string>
}

/** A finished sentence in the past tense. */
export type EntrySentence = (entry: EntryFacts) => string

/** `You paused everything on laptop.` The place comes before what is said last. */
export function sentenceBy(
  what: string | ((entry: EntryFacts) => string),
  last: (entry: EntryFacts) => string = () => '',
): EntrySentence {
  return (entry) => {
    const words = typeof what === 'string' ? what : what(entry)
    return withFullStop(`${subjectOf(entry.actor)} ${words}${deviceSuffix(entry.actor)}${last(entry)}`)
  }
}

export function subjectOf({ kind, name, id }: LedgerActor): string {
  if (kind === 'operator') return 'You'
  if (kind === 'agent') return name === '' || name === id ? 'The agent' : `The agent ${name}`
  return kind === 'executor' ? 'The executor' : 'Countersign'
}

export function textOf(value: JsonValue | undefined): string {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
}

export function countText(value: JsonValue | undefined, one: string, many = `${one}s`): string {
  return plural('en', amountOf(value), { one: `# ${one}`, other: `# ${many}` })
}

/** A number, or how many there are in a list. */
export function amountOf(value: JsonValue | undefined): number {
  return Array.isArray(value) ? value.length : Number(value ?? 0)
}

export function listOf(value: JsonValue | undefined): string[] {
  return Array.isArray(value) ? value.map(textOf).filter((each) => each !== '') : []
}

/** `the goal “Taxes”`, or by its id where its name is unknown. */
export function namedThing(entry: EntryFacts, noun: string, field: string): string {
  const name = nameOf(entry, field)
  return name === undefined ? `the ${noun} ${textOf(entry.data[field])}` : `the ${noun} ${quoted(name)}`
}

export function nameOf({ data, names }: EntryFacts, field: string): string | undefined {
  return textOf(data['name']) || textOf(data['title']) || names.get(textOf(data[field]))
}

export function quoted(words: string, most = 120): string {
  return `“${shortened(words, most)}”`
}

export function shortened(words: string, most = 160): string {
  const line = words.replaceAll(/\s+/g, ' ').trim()
  return line.length <= most ? line : `${line.slice(0, most - 1).trimEnd()}…`
}

/** “: because”, or nothing. */
export function because(value: JsonValue | undefined): string {
  const words = shortened(textOf(value)).replace(/[.\s]+$/, '')
  return words === '' ? '' : `: ${words}`
}

export function dollars(nanos: JsonValue | undefined, language: Language = 'en'): string {
  const amount = Number(nanos ?? 0) / 1_000_000_000
  const isTiny = amount > 0 && amount < smallestUsd
  const text = new Intl.NumberFormat(language, {
    style: 'currency',
    currency: 'USD',
    currencyDisplay: 'narrowSymbol',
  }).format(isTiny ? smallestUsd : amount)
  return isTiny ? `<${text}` : text
}

/** A quotation that ends a sentence brings its own full stop. */
function withFullStop(words: string): string {
  return /[.!?…]”$/.test(words) ? words : `${words}.`
}

function deviceSuffix({ kind, name }: LedgerActor): string {
  return kind === 'operator' && name !== '' ? ` on ${name}` : ''
}

/** What sets an automation off, in the words in which it was made. */
export function triggerOf({ data }: EntryFacts): string {
  const words = textOf(data['trigger'])
  return words === '' ? '' : `: ${words}`
}
