/** Owns in what the two sides of a conflict differ. Compared whole, by their texts. */
import type { SyncConflict } from './api-calendar.ts'

export interface ConflictDifference {
  readonly name: string
  /** Nothing where that side has none, or has deleted the entry. */
  readonly mine: string | undefined
  readonly theirs: string | undefined
}

export function conflictDifferences({
  mine,
  theirs,
}: Pick<SyncConflict, 'mine' | 'theirs'>): ConflictDifference[] {
  const names = [...new Set([...Object.keys(mine ?? {}), ...Object.keys(theirs ?? {})])]
  return names
    .map((name) => ({ name, mine: textOf(mine?.[name]), theirs: textOf(theirs?.[name]) }))
    .filter((each) => each.mine !== each.theirs)
}

function textOf(value: unknown): string | undefined {
  if (value === undefined || value === null || value === '') return undefined
  return typeof value === 'string' ? value : JSON.stringify(value)
}
