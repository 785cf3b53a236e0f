import { expect, test } from 'vitest'
import { createRedactor } from './redactor.ts'

const secret = 'p@ss "word"/1234'

test('replaces a secret in each of its encodings and leaves the rest alone', () => {
  const redactor = createRedactor()
  redactor.register('mail', secret)
  const bytes = Buffer.from(secret)
  const forms = [
    secret,
    bytes.toString('base64'),
    bytes.toString('base64url'),
    bytes.toString('hex'),
    bytes.toString('hex').toUpperCase(),
    encodeURIComponent(secret),
    JSON.stringify(secret),
  ]
  for (const form of forms) expect(redactor.text(`a ${form} b`)).toMatch(/^a "?\{\{secret:mail\}\}"? b$/)
  expect(redactor.text('p@ss "word"/123')).toBe('p@ss "word"/123')
})

test('reaches every string of a value, keys included, and keeps its shape', () => {
  const redactor = createRedactor()
  redactor.register('mail', secret)
  expect(redactor.json({ [secret]: [secret, 1, null, { deep: `x${secret}` }] })).toEqual({
    '{{secret:mail}}': ['{{secret:mail}}', 1, null, { deep: 'x{{secret:mail}}' }],
  })
})

test('prefers the longer secret where one contains another', () => {
  const redactor = createRedactor()
  redactor.register('short', 'abcdefgh')
  redactor.register('long', 'abcdefghijkl')
  expect(redactor.text('abcdefghijkl abcdefgh')).toBe('{{secret:long}} {{secret:short}}')
})

test('refuses a value so short that it would mask ordinary text', () => {
  expect(() => createRedactor().register('pin', '1234567')).toThrow('too short')
})
