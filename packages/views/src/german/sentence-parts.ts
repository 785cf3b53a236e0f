/** What German ledger sentences are made of: who did it, what it is called, how much it was. */
import { type JsonValue, type LedgerActor, plural } from '@countersign/contract'
import {
  amountOf,
  type EntryFacts,
  type EntrySentence,
  nameOf,
  shortened,
  textOf,
} from '../ledger/sentence-parts.ts'

/** `Du hast auf laptop alles angehalten.` The object and the participle come after the place. */
export function sentenceBy(
  what: string | ((entry: EntryFacts) => string),
  last: (entry: EntryFacts) => string = () => '',
): EntrySentence {
  return (entry) => {
    const words = typeof what === 'string' ? what : what(entry)
    return ended(`${hasDone(entry.actor)} ${words}${last(entry)}`)
  }
}

/** Who, the verb, and where. */
export function hasDone(actor: LedgerActor): string {
  const place = actor.kind === 'operator' && actor.name !== '' ? ` auf ${actor.name}` : ''
  return `${subjectOf(actor)} ${actor.kind === 'operator' ? 'hast' : 'hat'}${place}`
}

export function subjectOf({ kind, name, id }: LedgerActor): string {
  if (kind === 'operator') return 'Du'
  if (kind === 'agent') return name === '' || name === id ? 'Der Agent' : `Der Agent ${name}`
  return kind === 'executor' ? 'Der Executor' : 'Countersign'
}

export function countText(value: JsonValue | undefined, one: string, many: string): string {
  return plural('de', amountOf(value), { one: `# ${one}`, other: `# ${many}` })
}

/** `das Ziel „Steuer“`, or by its id where its name is unknown. */
export function namedThing(entry: EntryFacts, noun: string, field: string): string {
  const name = nameOf(entry, field)
  return name === undefined ? `${noun} ${textOf(entry.data[field])}` : `${noun} ${quoted(name)}`
}

export function quoted(words: string, most = 120): string {
  return `„${shortened(words, most)}“`
}

/** A quotation that ends a sentence brings its own full stop. */
function ended(words: string): string {
  return /[.!?…]“$/.test(words) ? words : `${words}.`
}
