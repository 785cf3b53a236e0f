import { randomUUIDv7 } from 'node:crypto'
import { type DeviceId, idFrom, type RequestPasskey } from '@countersign/contract'
import { beforeEach, expect, test } from 'vitest'
import { createPasskeyRequests, type PasskeyRequests, passkeyRequestLimits } from './passkey-requests.ts'

let now: number
let requests: PasskeyRequests
beforeEach(() => {
  now = Date.parse('2026-11-19T10:00:00Z')
  requests = createPasskeyRequests(() => new Date(now), randomUUIDv7)
})

const device = (): DeviceId => idFrom('dev', randomUUIDv7())
const phone = device()
const passkey = (credential: string): RequestPasskey => ({
  credential: credential.padEnd(16, '-'),
  key: 'a2V5',
  name: 'phone',
  site: 'house.example',
  registration: { clientData: '', attestationObject: '' },
})

test('a request waits five minutes, for exactly its passkey', () => {
  const asked = passkey('one')
  const { id } = requests.add(asked, phone)
  expect(requests.waitingFor(asked)?.view.id).toBe(id)
  expect(requests.waitingFor({ ...asked, key: 'b3RoZXI=' })).toBeUndefined()
  expect(requests.waitingFor({ ...asked, site: 'localhost' })).toBeUndefined()
  expect(requests.waitingFor({ ...asked, credential: passkey('two').credential })).toBeUndefined()
  now += passkeyRequestLimits.lifetimeMs - 1
  expect(requests.waitingFor(asked)).toBeDefined()
  now += 1
  expect(requests.waitingFor(asked)).toBeUndefined()
  expect(requests.all()).toEqual([])
  expect(() => requests.refuse(id)).toThrow('no longer waits')
})

test('a second request of a device takes the place of its first', () => {
  requests.add(passkey('one'), phone)
  const second = requests.add(passkey('two'), phone)
  expect(requests.all()).toEqual([second])
  expect(requests.waitingFor(passkey('one'))).toBeUndefined()
})

test('few wait at once, and the device that waits already may still ask again', () => {
  const devices = Array.from({ length: passkeyRequestLimits.waiting }, device)
  for (const each of devices) requests.add(passkey(each), each)
  expect(() => requests.add(passkey('late'), phone)).toThrow('already wait')
  const [first = phone] = devices
  requests.add(passkey('again'), first)
  requests.refuse(requests.waitingFor(passkey('again'))?.view.id ?? '')
  requests.add(passkey('late'), phone)
})

test('what was refused or approved waits no more, and is told until it would have ended', () => {
  const refused = requests.add(passkey('one'), phone)
  requests.refuse(refused.id)
  expect(() => requests.refuse(refused.id)).toThrow('no longer waits')
  expect(requests.waitingFor(passkey('one'))).toBeUndefined()
  const approved = requests.add(passkey('two'), device())
  requests.approve(approved.id)
  expect(requests.waitingFor(passkey('two'))).toBeUndefined()
  expect(requests.all().map(({ state }) => state)).toEqual(['refused', 'approved'])
  now += passkeyRequestLimits.lifetimeMs
  expect(requests.all()).toEqual([])
})

test('the request of a device that may not ask any more is gone', () => {
  const tablet = device()
  requests.add(passkey('one'), phone)
  const kept = requests.add(passkey('two'), tablet)
  requests.keepOnly((request) => request.device === tablet)
  expect(requests.all()).toEqual([kept])
})

test('a device asks a few times a minute, and another one is not held up by it', () => {
  for (let count = 0; count < passkeyRequestLimits.attemptsPerMinute; count += 1) requests.attempt(phone)
  expect(() => requests.attempt(phone)).toThrow('too many')
  requests.attempt(device())
  now += 60_000
  requests.attempt(phone)
})
