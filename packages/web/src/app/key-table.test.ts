import { expect, test } from 'vitest'
import { listKeys } from '../environment/keymap.ts'
import { destinations } from './destinations.ts'
import { frameKeys, goKeys } from './key-table.ts'

test('has a key of its own for every destination', () => {
  expect(goKeys).toHaveLength(destinations.length)
  expect(new Set(destinations.map(({ key }) => key)).size).toBe(destinations.length)
})

test('has no key twice on every screen', () => {
  const all = [...Object.values(frameKeys), ...Object.values(listKeys), ...goKeys].map(({ keys }) => keys)
  expect(new Set(all).size).toBe(all.length)
})
