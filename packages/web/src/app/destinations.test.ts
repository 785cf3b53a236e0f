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

test('there are fourteen destinations in five groups', () => {
  expect(destinations).toHaveLength(14)
  expect(new Set(destinations.map(({ group }) => group))).toEqual(new Set(groups))
})
