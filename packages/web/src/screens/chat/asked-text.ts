/** Owns how a list of what the words ask for is said in one line: each question apart, so that none runs into another. */
import type { AskedForView } from '@countersign/contract'
import { words } from '../../words/chat.tsx'

export function askedText({ items, questions }: Pick<AskedForView, 'items' | 'questions'>): string {
  const { acts, at, lookUp, quoted } = words.asked
  const wishes = items.map(({ act, target }) => (target === null ? acts[act] : at(acts[act], target)))
  const lookedUp = questions.length === 0 ? [] : [lookUp(questions.map(quoted).join(', '))]
  return [...wishes, ...lookedUp].join(', ')
}
