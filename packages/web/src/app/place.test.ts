import { expect, test } from 'vitest'
import { destinationOf, destinations, groups } from './destinations.ts'
import { partsBelow, placeHref } from './place.ts'

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

test('what is below a screen comes back as it was put there', () => {
  const href = placeHref('/tools', ['a/b c', 'raw'], { tier: '3', none: undefined, empty: '' })
  expect(href).toBe('/tools/a%2Fb%20c/raw?tier=3')
  expect(partsBelow('/tools/a%2Fb%20c/raw', '/tools')).toEqual(['a/b c', 'raw'])
  expect(placeHref('/', [])).toBe('/')
})

test('a broken escape in an address is kept as it is', () => {
  expect(partsBelow('/tools/%zz', '/tools')).toEqual(['%zz'])
})
