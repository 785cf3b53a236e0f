/** Owns the two sentences of a card: why it asks, and what would make it stop. */
import { type Asking, forDisplay, Language } from '@countersign/contract'
import { type AskCause, type AskEnd, type AskedFacts, causeOf, endOf, isInherent } from './cause.ts'
import { type AskingWords, askingWords } from './words.ts'

export function askingOf(asked: AskedFacts): Readonly<Record<Language, Asking>> {
  const cause = causeOf(asked)
  const end = endOf(asked)
  const isAlways = isInherent(cause) && end.kind === 'nothing'
  const said = (language: Language): Asking => {
    const words = askingWords[language]
    const clause = clauseOf(cause, words)
    return { why: isAlways ? words.always(clause) : words.because(clause), stops: endWords(end, words) }
  }
  return { en: said('en'), de: said('de') }
}

function clauseOf(cause: AskCause, words: AskingWords): string {
  switch (cause.kind) {
    case 'own-rule':
      return words.ownRule(forDisplay(cause.why.replaceAll(/\s+/g, ' ').trim().replace(/\.$/, '')).text)
    case 'strangers': {
      const [read, would] = [words.read[cause.read], words.would[cause.would]]
      return cause.private ? words.strangersAndPrivate(read, would) : words.strangers(read, would)
    }
    default:
      return words.causes[cause.kind]
  }
}

function endWords(end: AskEnd, words: AskingWords): string {
  switch (end.kind) {
    case 'scopes':
    case 'rule':
    case 'untrusted-rule':
      return words.ends[end.kind](words.targets[end.target])
    case 'unread':
    case 'unread-rule':
      return words.ends[end.kind](words.read[end.read])
    case 'level':
      return words.ends.level(words.levels[end.level])
    default:
      return words.ends[end.kind]
  }
}
