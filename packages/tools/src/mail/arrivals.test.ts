import { expect, test } from 'vitest'
import { isAsked } from './arrivals.ts'

const from = (...addresses: string[]) =>
  addresses.map((address) => ({ name: 'Ana <ana@kovac.test>', address }))

test.each([
  [{}, from('bad@evil.test'), 'x', true],
  [{ subject: 'INVOICE' }, from('bad@evil.test'), 'Your invoice', true],
  [{ subject: 'invoice' }, from('ana@kovac.test'), 'Lunch', false],
  [{ from: 'Ana@kovac.test' }, from('ana@Kovac.test'), 'x', true],
  // A name is whatever its sender writes.
  [{ from: 'ana@kovac.test' }, from('bad@evil.test'), 'x', false],
  [{ from: 'ana@kovac.test' }, from('ana@kovac.test', 'bad@evil.test'), 'x', false],
  [{ from: 'ana@kovac.test' }, from('ana@kovac.test.evil.test'), 'x', false],
  [{ from: '@kovac.test' }, from('bob@kovac.test'), 'x', true],
  [{ from: '@kovac.test' }, from('bob@evilkovac.test'), 'x', false],
  [{ from: '@kovac.test' }, from('bob@sub.kovac.test'), 'x', false],
  [{ from: '@kovac.test' }, from('"@kovac.test"@evil.test'), 'x', false],
  [{ from: '@kovac.test' }, [], 'x', false],
  [{ from: '@kovac.test', subject: 'due' }, from('bob@kovac.test'), 'x', false],
])('asks for %o, and an e-mail of %o about %s is meant: %s', (wanted, people, subject, meant) => {
  expect(isAsked({ folder: 'INBOX', ...wanted }, { from: people, subject })).toBe(meant)
})
