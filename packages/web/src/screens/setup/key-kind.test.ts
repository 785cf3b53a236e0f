import { expect, test } from 'vitest'
import { kindOfKey } from './key-kind.ts'

test('a key names its provider, the longer beginning first', () => {
  expect(kindOfKey(' sk-ant-api03-x')).toBe('anthropic')
  expect(kindOfKey('sk-or-v1-x')).toBe('openrouter')
  expect(kindOfKey('sk-proj-x')).toBe('openai')
  expect(kindOfKey('nothing known')).toBe(undefined)
})
