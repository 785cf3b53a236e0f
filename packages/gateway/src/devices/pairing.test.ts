import { randomUUIDv7 } from 'node:crypto'
import { type PairingRequestBody, pairingText } from '@countersign/contract'
import { generateKey, type KeyPair, signText } from '@countersign/contract/node'
import { beforeEach, describe, expect, it } from 'vitest'
import { invitationLimits } from './invitations.ts'
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

const here = { origin: null, sender: 'this computer' }
const ask = (request: PairingRequestBody) => pairing.request(request, here)

describe('a request from elsewhere', () => {
  const origin = 'https://home.example.com'
  const there = { origin, sender: '203.0.113.7' }
  const invitation = 'i'.repeat(43)

  it('needs the link that was opened for its origin', () => {
    expect(() => pairing.request(body(), there)).toThrow('by a link')
    expect(() => pairing.request({ ...body(), invitation }, there)).toThrow('by a link')
    pairing.invite({ invitation, origin: 'https://other.example.com' })
    expect(() => pairing.request({ ...body(), invitation }, there)).toThrow('by a link')
    pairing.invite({ invitation, origin })
    expect(pairing.request({ ...body(), invitation }, there).id).toBeTruthy()
  })

  it('uses the link up, also when two come at once', () => {
    pairing.invite({ invitation, origin })
    pairing.request({ ...body(), invitation }, there)
    expect(() => pairing.request({ ...body(), invitation }, there)).toThrow('works once')
  })

  it('comes within five minutes', () => {
    pairing.invite({ invitation, origin })
    now += invitationLimits.lifetimeMs
    expect(() => pairing.request({ ...body(), invitation }, there)).toThrow('five minutes')
  })

  it('leaves no more than a few links open', () => {
    for (const letter of 'abcd') pairing.invite({ invitation: letter.repeat(43), origin })
    expect(() => pairing.request({ ...body(), invitation: 'a'.repeat(43) }, there)).toThrow('by a link')
    pairing.request({ ...body(), invitation: 'b'.repeat(43) }, there)
  })

  it('counts for its sender and for all senders, and leaves this computer its own', () => {
    for (let count = 0; count < pairingLimits.attemptsPerMinute; count += 1) pairing.attempt(there)
    expect(() => pairing.attempt(there)).toThrow('Too many')
    const rest = pairingLimits.attemptsElsewhere - pairingLimits.attemptsPerMinute
    for (let count = 0; count < rest; count += 1) pairing.attempt({ origin, sender: `198.51.100.${count}` })
    expect(() => pairing.attempt({ origin, sender: '192.0.2.1' })).toThrow('Too many')
    pairing.attempt(here)
  })
})

describe('a request to pair', () => {
  it('waits for ten minutes and is then over', () => {
    const { id, device } = ask(body())
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
    const { id } = ask(asked)
    pairing.letIn(generateKey().publicKey, 3)
    expect(pairing.state(id).state).toBe('waiting')
    pairing.letIn(asked.key, 0)
    expect(pairing.state(id)).toMatchObject({ state: 'approved', reach: 0 })
    expect(() => pairing.refuse(id)).toThrow('no longer pending')
    const late = body()
    const second = ask(late)
    now += pairingLimits.lifetimeMs
    pairing.letIn(late.key, 3)
    expect(pairing.state(second.id).state).toBe('expired')
  })

  it('that was refused stays refused, and an unknown one is over', () => {
    const asked = body()
    const { id } = ask(asked)
    expect(pairing.refuse(id)).toMatchObject({ name: 'phone' })
    pairing.letIn(asked.key, 3)
    expect(pairing.state(id).state).toBe('refused')
    expect(pairing.state('0'.repeat(32)).state).toBe('expired')
  })

  it('needs the key that it names, and this gateway', () => {
    const asked = body()
    expect(() => ask({ ...asked, key: generateKey().publicKey })).toThrow('not signed')
    expect(() => ask({ ...asked, nonce: `${asked.nonce}A` })).toThrow('not signed')
    expect(() => ask(body(generateKey(), generateKey().publicKey))).toThrow('not signed')
    expect(() => ask({ ...asked, key: Buffer.alloc(33).toString('base64') })).toThrow('not signed')
    expect(pairing.waiting()).toEqual([])
  })

  it('is one of three at most, and one for a key', () => {
    const asked = body()
    const { id } = ask(asked)
    expect(() => ask(asked)).toThrow('is already pending')
    ask(body())
    ask(body())
    expect(() => ask(body())).toThrow('3 pairing requests')
    pairing.refuse(id)
    expect(() => ask(body())).not.toThrow()
    expect(() => ask(body())).toThrow('3 pairing requests')
    now += pairingLimits.lifetimeMs
    expect(() => ask(body())).not.toThrow()
  })

  it('is one of five attempts in a minute, whatever came of them', () => {
    for (let count = 0; count < pairingLimits.attemptsPerMinute; count += 1) pairing.attempt(here)
    expect(() => pairing.attempt(here)).toThrow('Too many')
    now += 60_000
    expect(() => pairing.attempt(here)).not.toThrow()
  })

  it('is forgotten after a while', () => {
    const { id, device } = ask(body())
    now += 2 * pairingLimits.lifetimeMs
    ask(body())
    expect(pairing.state(id)).toEqual({ state: 'expired', device: null, reach: null })
    expect(device).toMatch(/^dev_/)
  })
})
