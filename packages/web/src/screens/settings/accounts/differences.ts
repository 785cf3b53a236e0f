/** Owns in what the two sides of a conflict differ. */
import { type SyncConflict, shortened } from '@countersign/contract'

export interface Difference {
  readonly name: string
  /** Nothing where that side has none, or has deleted the entry. */
  readonly mine: string | undefined
  readonly theirs: string | undefined
}

const longest = 300

export function differences({ mine, theirs }: Pick<SyncConflict, 'mine' | 'theirs'>): Difference[] {
  const names = [...new Set([...Object.keys(mine ?? {}), ...Object.keys(theirs ?? {})])]
  return names
    .map((name) => ({ name, mine: textOf(mine?.[name]), theirs: textOf(theirs?.[name]) }))
    .filter((each) => each.mine !== each.theirs)
    .map((each) => ({ ...each, mine: cut(each.mine), theirs: cut(each.theirs) }))
}

function textOf(value: unknown): string | undefined {
  if (value === undefined || value === null || value === '') return undefined
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Compared whole, shown cut. */
function cut(text: string | undefined): string | undefined {
  return text === undefined ? undefined : shortened(text, longest)
}
