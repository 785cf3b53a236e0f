import { randomUUIDv7 } from 'node:crypto'
import { type PairingRequestBody, pairingText } from '@countersign/contract'
import { generateKey, type KeyPair, signText } from '@countersign/contract/node'
import { beforeEach, describe, expect, it } from 'vitest'
import { createPairing, type Pairing, pairingLimits } from './pairing.ts'

const gatewayKey = generateKey().publicKey
let now: number
let pairing: Pairing
beforeEach(() => {
  now = Date.parse('2026-08-01T12:00:00Z')
  pairing = createPairing({ gatewayKey, clock: () => new Date(now), uuid: randomUUIDv7 })
})

function body(keys: KeyPair = generateKey(), signedFor = gatewayKey): PairingRequestBody {
  const nonce = Buffer.from(randomUUIDv7()).toString('base64url').slice(0, 32)
  const signature = signText(keys.privateKey, pairingText(signedFor, keys.publicKey, nonce))
  return { key: keys.publicKey, name: 'phone', platform: 'Linux', reach: 2, nonce, signature }
}

describe('a request to pair', () => {
  it('waits for ten minutes and is then over', () => {
    const { id, device } = pairing.request(body())
    expect(pairing.state(id)).toEqual({ state: 'waiting', device, reach: null })
    now += pairingLimits.lifetimeMs - 1
    expect(pairing.waiting()).toHaveLength(1)
    now += 1
    expect(pairing.state(id)).toMatchObject({ state: 'expired' })
    expect(pairing.waiting()).toEqual([])
    expect(() => pairing.refuse(id)).toThrow('no longer pending')
  })

  it('is approved when its key was let in, and not after its time', () => {
    const asked = body()
    const { id } = pairing.request(asked)
    pairing.letIn(generateKey().publicKey, 3)
    expect(pairing.state(id).state).toBe('waiting')
    pairing.letIn(asked.key, 0)
    expect(pairing.state(id)).toMatchObject({ state: 'approved', reach: 0 })
    expect(() => pairing.refuse(id)).toThrow('no longer pending')
    const late = body()
    const second = pairing.request(late)
    now += pairingLimits.lifetimeMs
    pairing.letIn(late.key, 3)
    expect(pairing.state(second.id).state).toBe('expired')
  })

  it('that was refused stays refused, and an unknown one is over', () => {
    const asked = body()
    const { id } = pairing.request(asked)
    expect(pairing.refuse(id)).toMatchObject({ name: 'phone' })
    pairing.letIn(asked.key, 3)
    expect(pairing.state(id).state).toBe('refused')
    expect(pairing.state('0'.repeat(32)).state).toBe('expired')
  })

  it('needs the key that it names, and this gateway', () => {
    const asked = body()
    expect(() => pairing.request({ ...asked, key: generateKey().publicKey })).toThrow('not signed')
    expect(() => pairing.request({ ...asked, nonce: `${asked.nonce}A` })).toThrow('not signed')
    expect(() => pairing.request(body(generateKey(), generateKey().publicKey))).toThrow('not signed')
    expect(() => pairing.request({ ...asked, key: Buffer.alloc(33).toString('base64') })).toThrow(
      'not signed',
    )
    expect(pairing.waiting()).toEqual([])
  })

  it('is one of three at most, and one for a key', () => {
    const asked = body()
    const { id } = pairing.request(asked)
    expect(() => pairing.request(asked)).toThrow('is already pending')
    pairing.request(body())
    pairing.request(body())
    expect(() => pairing.request(body())).toThrow('3 pairing requests')
    pairing.refuse(id)
    expect(() => pairing.request(body())).not.toThrow()
    expect(() => pairing.request(body())).toThrow('3 pairing requests')
    now += pairingLimits.lifetimeMs
    expect(() => pairing.request(body())).not.toThrow()
  })

  it('is one of five attempts in a minute, whatever came of them', () => {
    for (let count = 0; count < pairingLimits.attemptsPerMinute; count += 1) pairing.attempt()
    expect(() => pairing.attempt()).toThrow('Too many')
    now += 60_000
    expect(() => pairing.attempt()).not.toThrow()
  })

  it('is forgotten after a while', () => {
    const { id, device } = pairing.request(body())
    now += 2 * pairingLimits.lifetimeMs
    pairing.request(body())
    expect(pairing.state(id)).toEqual({ state: 'expired', device: null, reach: null })
    expect(device).toMatch(/^dev_/)
  })
})
