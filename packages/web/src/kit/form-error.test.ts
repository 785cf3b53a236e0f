import { CountersignError } from '@countersign/contract'
import { expect, test } from 'vitest'
import { nextOf } from './form-error.tsx'

test('a form that is filled in wrongly names no command of a terminal', () => {
  expect(nextOf(new CountersignError('usage', 'due: must be a date'))).toBe('')
  expect(nextOf(new CountersignError('usage', 'No.', { next: 'Write a `day`.' }))).toBe('Write a day.')
  expect(nextOf(new CountersignError('not_found', 'There is none.'))).not.toBe('')
})
