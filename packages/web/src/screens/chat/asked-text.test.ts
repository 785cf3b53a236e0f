import { expect, test } from 'vitest'
import { askedText } from './asked-text.ts'

const items = [{ act: 'change_files' as const, target: 'boats', count: 1 }]

test('says what would be changed, and quotes each question that would be looked up', () => {
  expect(askedText({ items, questions: [] })).toBe('change files in boats')
  expect(askedText({ items: [], questions: ['When? Now, or', 'never?'] })).toBe(
    'would look up: “When? Now, or”, “never?”',
  )
})
