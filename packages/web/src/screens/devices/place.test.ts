import type { OriginView } from '@countersign/contract'
import { expect, test } from 'vitest'
import { isAcceptedPlace } from './place.ts'

const origins: readonly OriginView[] = [
  { origin: 'https://home.example', served: true, acceptedAt: '2026-11-01T00:00:00.000Z' },
  { origin: 'https://new.example', served: true, acceptedAt: null },
]

test('passkeys count on this computer without a word, and elsewhere at exactly what was accepted', () => {
  expect(isAcceptedPlace('http://localhost:7347', [])).toBe(true)
  expect(isAcceptedPlace('https://home.example', origins)).toBe(true)
  for (const other of [
    'https://new.example',
    'https://home.example:8443',
    'http://home.example',
    'https://localhost:7347',
    'http://127.0.0.1:7347',
    'null',
  ])
    expect([other, isAcceptedPlace(other, origins)]).toEqual([other, false])
})
