import { expect, test } from 'vitest'
import { locationProblem, locationText } from './location-text.ts'

test('a place is said to a metre, with how sure it is', () => {
  const text = locationText({ latitude: 48.208_493_7, longitude: -16.372_081, accuracy: 29.6 })
  expect(text).toBe('I am here: 48.20849, -16.37208 (within 30 m)')
})

test('a sensor that claims to be exact is believed to a metre', () => {
  expect(locationText({ latitude: 0, longitude: 0, accuracy: 0 })).toContain('within 1 m')
})

test('each way to fail has its words', () => {
  expect([1, 2, 3, 9].map(locationProblem)).toEqual(['denied', 'unknown', 'late', 'unknown'])
})
