import type { FeedItem, FeedView } from '@countersign/contract'
import { describe, expect, test } from 'vitest'
import { byGoal, canUndo, headAndRest, isUndone, shownItems } from './feed-items.ts'

const feeds = [
  feed('feed_1', '2026-11-14T08:00:00.000Z', [item('Old.', [1])]),
  feed('feed_2', '2026-11-15T08:00:00.000Z', [item('First.', [2]), item('Second.', [3], 'goal_1')]),
]

describe('the feed on Today', () => {
  test('the newest comes first, whatever the order of the answer', () => {
    const shown = shownItems(feeds, null, new Set())
    expect(shown.map(({ item: { text } }) => text)).toEqual(['Second.', 'First.', 'Old.'])
  })

  test('only what was told after the last look is new; without a look all of it is', () => {
    const isNew = (lastVisitAt: string | null) =>
      shownItems(feeds, lastVisitAt, new Set()).map((shown) => shown.isNew)
    expect(isNew('2026-11-14T20:00:00.000Z')).toEqual([true, true, false])
    expect(isNew(null)).toEqual([true, true, true])
  })

  test('an item that was put aside stays so after a model worded it anew', () => {
    const [second] = shownItems(feeds, null, new Set())
    const reworded = [feed('feed_2', '2026-11-15T08:00:00.000Z', [item('Said otherwise.', [3], 'goal_1')])]
    expect(shownItems(reworded, null, new Set([second?.key ?? '']))).toEqual([])
  })

  test('what was undone says so and is not offered again; what was undone in part still is', () => {
    const all = { undoable: 0, undone: 2 }
    expect([canUndo(all), isUndone(all)]).toEqual([false, true])
    const part = { undoable: 1, undone: 1 }
    expect([canUndo(part), isUndone(part)]).toEqual([true, false])
    expect([canUndo(undefined), isUndone(undefined)]).toEqual([true, false])
  })

  test('items of a goal stand together, and those without one come last', () => {
    const groups = byGoal(shownItems(feeds, null, new Set()))
    expect(groups.map(({ goal, items }) => [goal, items.length])).toEqual([
      ['goal_1', 1],
      [null, 2],
    ])
  })

  test('the first sentence is the heading; a file name does not end one', () => {
    expect(headAndRest('Nine are filed. One is missing.')).toEqual(['Nine are filed.', 'One is missing.'])
    expect(headAndRest('Wrote brief.md today')).toEqual(['Wrote brief.md today', ''])
  })
})

function item(text: string, refs: number[], goal: string | null = null): FeedItem {
  return { text, refs, goal, run: null, undoable: false }
}

function feed(id: string, at: string, items: FeedItem[]): FeedView {
  return { id, at, from: 0, upTo: 1, items, by: 'digest', run: null }
}
