/** Owns what of the feed is shown: what is new since the last look, what was put aside, and what belongs together. Pure. */
import type { FeedItem, FeedView, RunView } from '@countersign/contract'

export interface ShownItem {
  /** The same for the same happening, also after a model worded it anew. */
  readonly key: string
  readonly at: string
  readonly item: FeedItem
  readonly isNew: boolean
}

export interface ItemGroup {
  readonly goal: string | null
  readonly items: readonly ShownItem[]
}

/** Newest first. `lastVisitAt` is the last look of this browser, or null if there was none. */
export function shownItems(
  feeds: readonly FeedView[],
  lastVisitAt: string | null,
  archived: ReadonlySet<string>,
): readonly ShownItem[] {
  return feeds
    .toSorted((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0))
    .flatMap(({ id, at, items }) =>
      items.toReversed().map(
        (item): ShownItem => ({
          key: `${id}:${item.refs.join('.')}`,
          at,
          item,
          isNew: lastVisitAt === null || Date.parse(at) > Date.parse(lastVisitAt),
        }),
      ),
    )
    .filter(({ key }) => !archived.has(key))
}

/** By goal, in the order in which the goals come first; what has none is last. */
export function byGoal(items: readonly ShownItem[]): readonly ItemGroup[] {
  const groups = Map.groupBy(items, ({ item }) => item.goal)
  const found = [...groups].map(([goal, members]): ItemGroup => ({ goal, items: members }))
  return [...found.filter(({ goal }) => goal !== null), ...found.filter(({ goal }) => goal === null)]
}

type Undoing = Pick<RunView, 'undoable' | 'undone'>

/** The feed tells of what was; whether it still stands, the run knows. One that is no longer listed may still be undone. */
export const canUndo = (run: Undoing | undefined): boolean => run === undefined || run.undoable > 0

/** Everything that could be taken back was. */
export const isUndone = (run: Undoing | undefined): boolean =>
  run !== undefined && run.undone > 0 && run.undoable === 0

/** The first sentence as the heading, the rest below it. */
export function headAndRest(text: string): readonly [head: string, rest: string] {
  const end = /[.!?](?=\s+\S)/.exec(text)
  if (end === null) return [text, '']
  const at = end.index + 1
  return [text.slice(0, at), text.slice(at).trim()]
}
