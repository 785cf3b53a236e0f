/** Owns the keys of Today: moving through the feed, and what they do to the item that they are on. */

import { useKeys } from '../../environment/keys.tsx'
import { useListKeys, useNotify } from '../../kit/index.ts'
import { words } from '../../words/today.tsx'
import type { ShownItem } from './feed-items.ts'
import { articleId } from './feed-list.tsx'

export interface TodayKeys {
  readonly items: readonly ShownItem[]
  readonly current: string | null
  readonly onCurrent: (key: string | null) => void
  readonly onUndo: (item: ShownItem) => void
  readonly onWhy: (item: ShownItem) => void
  readonly archive: (key: string) => void
  readonly restore: (key: string) => void
  readonly open: (number: number) => void
}

/** Gives how an item is put aside, which moves on to the next one. */
export function useTodayKeys(parts: TodayKeys): (item: ShownItem) => void {
  const { items, current, onCurrent, onUndo, onWhy, archive, restore, open } = parts
  const notify = useNotify()
  const move = (key: string) => {
    onCurrent(key)
    const article = document.getElementById(articleId(key))
    // What is folded away opens, or the focus could not go there.
    article?.closest('details')?.setAttribute('open', '')
    article?.focus()
  }
  const put = (item: ShownItem) => {
    const place = items.findIndex(({ key }) => key === item.key)
    const next = items[place + 1] ?? items[place - 1]
    archive(item.key)
    if (next === undefined) onCurrent(null)
    else move(next.key)
    notify({ text: words.keys.archived, action: { label: words.keys.putBack, run: () => restore(item.key) } })
  }
  /** A key acts on what it is seen to be on; the first press only goes there. */
  const onChosen = (act: (item: ShownItem) => void) => () => {
    const item = items.find(({ key }) => key === current)
    if (item !== undefined) return act(item)
    const [first] = items
    if (first !== undefined) move(first.key)
  }
  useListKeys(words.title, { ids: items.map(({ key }) => key), current, onMove: move })
  useKeys(words.title, [
    { keys: 'e', label: words.keys.archive, run: onChosen(put) },
    {
      keys: 'u',
      label: words.keys.undo,
      run: onChosen((item) => {
        if (item.item.undoable && item.item.run !== null) onUndo(item)
        else notify({ text: words.keys.notUndoable })
      }),
    },
    { keys: 'w', label: words.keys.why, run: onChosen(onWhy) },
    ...Array.from({ length: 9 }, (_, index) => ({
      keys: String(index + 1),
      label: words.keys.open(index + 1),
      run: () => open(index + 1),
    })),
  ])
  return put
}
