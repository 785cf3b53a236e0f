import { expect, it } from 'vitest'
import { needsDevice } from './unsigned.ts'

const id = '0'.repeat(32)

it.each([
  ['GET', '/v1/health'],
  ['GET', '/v1/pairing'],
  ['POST', '/v1/pairing/requests'],
  ['GET', `/v1/pairing/requests/${id}`],
  ['POST', '/v1/pairing/by-passkey'],
  ['GET', '/v1/nodes/pairing'],
  ['POST', '/v1/nodes/pairing/requests'],
  ['GET', `/v1/nodes/pairing/requests/${id}`],
])('%s %s needs no device', (method, path) => {
  expect(needsDevice(method, path)).toBe(false)
})

it.each([
  ['POST', '/v1/health'],
  ['GET', '/v1/health/'],
  ['GET', '/v1/healthy'],
  ['GET', '/v1/pairing/'],
  ['GET', '/v1/pairing/requests'],
  ['GET', `/v1/pairing/requests/${id}/`],
  ['GET', `/v1/pairing/requests/${id}0`],
  ['POST', `/v1/pairing/requests/${id}`],
  ['POST', `/v1/pairing/requests/${id}/refuse`],
  ['GET', '/v1/pairing/by-passkey'],
  ['GET', '/v1/devices'],
  ['GET', '/v1/nodes'],
  ['GET', '/v1/nodes/pairing/requests'],
  ['POST', '/v1/nodes/pairing'],
  ['POST', `/v1/nodes/pairing/requests/${id}/refuse`],
  ['POST', '/v1/nodes/node_1/limit'],
  ['POST', '/v1/devices/statements'],
  ['POST', '/v1/devices/passkeys'],
  ['GET', '/v1/status\n/v1/health'],
])('%s %j needs one', (method, path) => {
  expect(needsDevice(method, path)).toBe(true)
})
