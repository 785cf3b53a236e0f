import { expect, test } from 'vitest'
import { destinationOf, destinations, groups } from './destinations.ts'

test('a path belongs to the destination that it is below', () => {
  expect(destinationOf('/')?.title).toBe('Today')
  expect(destinationOf('/approvals/K7Q2')?.title).toBe('Approvals')
  expect(destinationOf('/approvals')?.title).toBe('Approvals')
})

test('a path that only begins like a destination belongs to none', () => {
  expect(destinationOf('/approvalsx')).toBeUndefined()
  expect(destinationOf('/settings')).toBeUndefined()
})

test('every group has destinations, and no two share a path, a title or a key', () => {
  expect(new Set(destinations.map(({ group }) => group))).toEqual(new Set(groups))
  for (const part of ['path', 'title', 'key'] as const)
    expect(new Set(destinations.map((destination) => destination[part])).size).toBe(destinations.length)
})

test('no group is a single destination', () => {
  for (const group of groups)
    expect(destinations.filter((each) => each.group === group).length).toBeGreaterThan(1)
})
