import { expect, test } from 'vitest'
import type { Effect } from '../effect.ts'
import { readsForModel, reversalOf } from './effect-facts.ts'

const effect = (verb: Effect['verb'], reversible = true): Effect => ({
  verb,
  object: 'a thing',
  scope: 'inside',
  reversible,
  outward: false,
  leaves: [],
})

test('what only looks has nothing to undo', () => {
  expect(reversalOf([effect('read'), effect('fetch')])).toBe('nothing to undo')
  expect(reversalOf([effect('read'), effect('write')])).toBe('possible')
  expect(reversalOf([effect('write'), effect('send', false)])).toBe('impossible')
})

test('what is read goes to the model', () => {
  expect(readsForModel([effect('read')])).toBe(true)
  expect(readsForModel([effect('write')])).toBe(false)
})
