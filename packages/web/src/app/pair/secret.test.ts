import { expect, test } from 'vitest'
import { secretIn, takeSecret } from './secret.ts'

test('takes the secret of a link out of the address', () => {
  const written: string[] = []
  const history = {
    replaceState: (_state: unknown, _title: string, url?: string | URL | null) =>
      void written.push(String(url)),
  }
  expect(takeSecret({ pathname: '/chat', search: '?a=1', hash: '#pair=abc' }, history)).toBe('abc')
  expect(written).toEqual(['/chat?a=1'])
})

test('leaves an address without a secret as it is', () => {
  const history = { replaceState: () => expect.unreachable() }
  expect(takeSecret({ pathname: '/', search: '', hash: '#main' }, history)).toBeNull()
  expect(secretIn('#pair=')).toBeNull()
  expect(secretIn('')).toBeNull()
})
