import { expect, test } from 'vitest'
import { differences } from './differences.ts'

test('shows only what differs', () => {
  expect(
    differences({
      mine: { title: 'Dentist', start: '2026-03-02T09:00:00Z', attendees: ['ana'] },
      theirs: { title: 'Dentist', start: '2026-03-02T10:00:00Z', attendees: ['ana'], location: 'Main St 1' },
    }),
  ).toEqual([
    { name: 'start', mine: '2026-03-02T09:00:00Z', theirs: '2026-03-02T10:00:00Z' },
    { name: 'location', mine: undefined, theirs: 'Main St 1' },
  ])
})

test('a side that was deleted has nothing', () => {
  expect(differences({ mine: { title: 'Dentist', notes: '' }, theirs: null })).toEqual([
    { name: 'title', mine: 'Dentist', theirs: undefined },
  ])
})

test('long texts are compared whole and shown cut', () => {
  const same = 'a'.repeat(400)
  const [found] = differences({ mine: { notes: `${same}b` }, theirs: { notes: `${same}c` } })
  expect(found?.mine).toHaveLength(300)
})
