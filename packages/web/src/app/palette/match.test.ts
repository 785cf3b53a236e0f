import { expect, test } from 'vitest'
import { matchScore } from './match.ts'

test('beginnings come before the beginnings of later words, and those before middles', () => {
  const begins = matchScore('app', 'Approvals')
  const later = matchScore('app', 'The approvals')
  const inside = matchScore('app', 'Snapping')
  expect(begins).toBeGreaterThan(later)
  expect(later).toBeGreaterThan(inside)
  expect(inside).toBeGreaterThan(0)
})

test('the first letters of words find a thing', () => {
  expect(matchScore('ab', 'August bookkeeping')).toBeGreaterThan(0)
})

test('letters that are only scattered find nothing', () => {
  expect(matchScore('ato', 'August bookkeeping')).toBe(0)
  expect(matchScore('xyz', 'Approvals')).toBe(0)
})

test('every word must be found, whatever its case and its marks', () => {
  expect(matchScore('kovac ana', 'Send 1 email to Ana Kovač')).toBeGreaterThan(0)
  expect(matchScore('kovac bob', 'Send 1 email to Ana Kovač')).toBe(0)
})
