import type { SessionView } from '@countersign/contract'
import { expect, it } from 'vitest'
import { conversationGroups } from './conversation-groups.ts'

const now = new Date(2026, 10, 16, 12)
const session = (title: string, daysAgo: number, more: Partial<SessionView> = {}) =>
  ({
    id: title,
    title,
    updatedAt: new Date(2026, 10, 16 - daysAgo, 9).toISOString(),
    pinned: false,
    hidden: false,
    ...more,
  }) as unknown as SessionView
const all = [
  session('Boats', 0),
  session('Letters', 1),
  session('Taxes', 3),
  session('Garden', 40),
  session('House', 90, { pinned: true }),
  session('Old boats', 2, { hidden: true }),
]
const shape = (search = '', hidden = false) =>
  conversationGroups(all, { search, hidden, now }).map(({ name, sessions }) => [
    name,
    ...sessions.map(({ title }) => title),
  ])

it('groups by day, with pinned ones first and hidden ones left out', () => {
  expect(shape()).toEqual([
    ['pinned', 'House'],
    ['today', 'Boats'],
    ['yesterday', 'Letters'],
    ['week', 'Taxes'],
    ['older', 'Garden'],
  ])
})

it('finds by title, hidden ones where they are asked for', () => {
  expect(shape('boat')).toEqual([['today', 'Boats']])
  expect(shape('boat', true)).toEqual([
    ['today', 'Boats'],
    ['hidden', 'Old boats'],
  ])
})
