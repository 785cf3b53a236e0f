import { expect, test } from 'vitest'
import { conflictDifferences } from './conflict-differences.ts'

test('shows only what differs', () => {
  expect(
    conflictDifferences({
      mine: { title: 'Dentist', start: '2026-03-02T09:00:00Z', attendees: ['ana'] },
      theirs: { title: 'Dentist', start: '2026-03-02T10:00:00Z', attendees: ['ana'], location: 'Main St 1' },
    }),
  ).toEqual([
    { name: 'start', mine: '2026-03-02T09:00:00Z', theirs: '2026-03-02T10:00:00Z' },
    { name: 'location', mine: undefined, theirs: 'Main St 1' },
  ])
})

test('a side that was deleted has nothing', () => {
  expect(conflictDifferences({ mine: { title: 'Dentist', notes: '' }, theirs: null })).toEqual([
    { name: 'title', mine: 'Dentist', theirs: undefined },
  ])
})

test('long texts are compared whole', () => {
  const same = 'a'.repeat(400)
  const [found] = conflictDifferences({ mine: { notes: `${same}b` }, theirs: { notes: `${same}c` } })
  expect(found).toEqual({ name: 'notes', mine: `${same}b`, theirs: `${same}c` })
})
