import type { OriginView } from '@countersign/contract'
import { expect, test } from 'vitest'
import { addingCommand, isAcceptedPlace, originIn, stoppingCommand } from './place.ts'

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

test('an address is taken as a browser shows it, and an address that gives no keys is none', () => {
  for (const [typed, origin] of [
    ['https://home.example', 'https://home.example'],
    [' home.example/devices?x#y ', 'https://home.example'],
    ['https://HOME.example:8443/', 'https://home.example:8443'],
    ['http://localhost:7000', 'http://localhost:7000'],
    ['http://home.example', null],
    ['https://192.168.1.5', null],
    ['[::1]', null],
    ['not a name', null],
  ])
    expect([typed, originIn(typed ?? '')]).toEqual([typed, origin])
})

test('the settings name what is served already, and one is added or left out once', () => {
  const others: readonly OriginView[] = [
    ...origins,
    { origin: 'https://old.example', served: false, acceptedAt: '2026-11-01T00:00:00.000Z' },
  ]
  expect(addingCommand([], 'https://a.example')).toBe(
    'countersign config set publicOrigins https://a.example',
  )
  expect(addingCommand(others, 'https://new.example')).toBe(
    'countersign config set publicOrigins https://home.example,https://new.example',
  )
  expect(stoppingCommand(others, 'https://home.example')).toBe(
    'countersign config set publicOrigins https://new.example',
  )
  expect(stoppingCommand(origins.slice(0, 1), 'https://home.example')).toBe(
    'countersign config unset publicOrigins',
  )
})
