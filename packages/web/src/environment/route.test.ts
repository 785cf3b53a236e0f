import { expect, test } from 'vitest'
import { partsBelow, routeHref } from './route.ts'

test('what is below a screen comes back as it was put there', () => {
  const href = routeHref('/tools', ['a/b c', 'raw'], { tier: '3', none: undefined, empty: '' })
  expect(href).toBe('/tools/a%2Fb%20c/raw?tier=3')
  expect(partsBelow('/tools/a%2Fb%20c/raw', '/tools')).toEqual(['a/b c', 'raw'])
  expect(routeHref('/', [])).toBe('/')
})

test('a broken escape in an address is kept as it is', () => {
  expect(partsBelow('/tools/%zz', '/tools')).toEqual(['%zz'])
})
