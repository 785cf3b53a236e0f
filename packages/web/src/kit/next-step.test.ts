import { CountersignError } from '@countersign/contract'
import { expect, test } from 'vitest'
import { nextStep } from './next-step.ts'

test('says what can be done on a page', () => {
  expect(nextStep(new CountersignError('limit_reached', 'Too many.'))).toBe(
    'Wait a moment, or stop something that is running.',
  )
})

test('says what is wrong with a form as it was said', () => {
  expect(nextStep(new CountersignError('usage', 'No.', { next: 'Write a `day`.' }))).toBe('Write a day.')
  expect(nextStep(new CountersignError('usage', 'due: must be a date'))).toBeNull()
})

test('says nothing of a command', () => {
  expect(nextStep(new CountersignError('paused', 'Everything is paused.'))).toBeNull()
  expect(nextStep(new CountersignError('timeout', 'It took too long.'))).toBeNull()
  expect(nextStep(new Error('A bug.'))).toBeNull()
})
