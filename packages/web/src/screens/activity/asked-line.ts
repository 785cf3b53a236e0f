/** Owns what was asked as one line: line ends are spaces, and nothing in it can steer how the rest is shown. */
import { forDisplay, type RunView } from '@countersign/contract'
import { words } from '../../words/activity.tsx'

export function askedLine(asked: string): string {
  return forDisplay(asked.replace(/\s+/g, ' ').trim()).text
}

/** What a run is called in a list: what was asked, or that the operator took something back. */
export function runTitle({
  kind,
  asked,
  id,
  calls,
}: Pick<RunView, 'kind' | 'asked' | 'id' | 'calls'>): string {
  if (kind === 'undo') return words.undid(calls)
  return asked === '' ? id : askedLine(asked)
}
