import { expect, test } from 'vitest'
import { localAddress } from './address.ts'

test('this computer is reached by the name that passkeys know', () => {
  expect(localAddress('http://127.0.0.1:7347')).toBe('http://localhost:7347/')
})
