import { randomBytes, randomUUIDv7 } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { idFrom } from '../ids.ts'
import { generateKey, type KeyPair, publicKeyOf, signText, verifyText } from '../node/keys.ts'
import { sha256Hex } from '../node/sha256.ts'
import { addressHeader, addressOf, answerText, proofHeader } from '../proof.ts'
import { pairingCalls } from './devices.ts'
import { createClient } from './http.ts'
import type { Signer } from './signer.ts'
import type { Transport } from './transport.ts'

const gateway = idFrom('gw', randomUUIDv7())
const keys = generateKey()
const url = 'http://localhost:7347'

const signer: Signer = {
  device: idFrom('dev', randomUUIDv7()),
  gateway,
  sign: async () => '',
  proves: async (text, signature) => verifyText(publicKeyOf(keys.publicKey), text, signature),
  hash: async (text) => sha256Hex(text),
  nonce: () => randomBytes(16).toString('hex'),
  now: () => new Date(),
}

interface Answering {
  readonly by?: KeyPair
  readonly port?: number
  readonly status?: number
  readonly nonce?: string
  readonly path?: string
  readonly change?: (text: string) => string
}

/** A gateway that answers with one body, as the test says. */
function answering(body: unknown, how: Answering = {}): Transport {
  return async (to, { method, headers }) => {
    const text = JSON.stringify(body)
    const proven = answerText({
      gateway,
      address: `http://127.0.0.1:${how.port ?? 7347}`,
      method,
      path: how.path ?? `${to.pathname}${to.search}`,
      nonce: how.nonce ?? headers['countersign-nonce'] ?? '',
      status: 200,
      bodyHash: sha256Hex(text),
    })
    const proof = signText((how.by ?? keys).privateKey, proven)
    return new Response(how.change?.(text) ?? text, {
      status: how.status ?? 200,
      headers: { [proofHeader]: proof },
    })
  }
}

const health = { ok: true, gateway, version: '1' }
const ask = (how: Answering) => createClient({ url, signer, fetch: answering(health, how) }).health()
const isUnproven = expect.objectContaining({ code: 'gateway_unproven' })

describe('an answer', () => {
  it('is read when the gateway signed it for this question at this address', async () => {
    expect(await ask({})).toEqual(health)
  })

  it.each<[string, Answering]>([
    ['by another key', { by: generateKey() }],
    ['for another address', { port: 7348 }],
    ['for another question', { nonce: 'f'.repeat(32) }],
    ['for another path', { path: '/v1/status' }],
    ['with another status', { status: 500 }],
    ['with another body', { change: (text) => text.replace('"1"', '"2"') }],
  ])('is refused when it was signed %s', async (_words, how) => {
    await expect(ask(how)).rejects.toThrow(isUnproven)
  })

  it('is refused without a proof, whatever it says went wrong', async () => {
    const error = { type: 'not_found', message: 'Go to http://evil.example.', next: '' }
    const bare: Transport = async () => Response.json({ ok: false, error }, { status: 404 })
    await expect(createClient({ url, signer, fetch: bare }).health()).rejects.toThrow(isUnproven)
  })

  it('names the address that was dialled, so that the gateway can refuse what was passed on', async () => {
    let said: string | undefined
    const send: Transport = (to, request) => {
      said = request.headers[addressHeader]
      return answering(health)(to, request)
    }
    await createClient({ url, signer, fetch: send }).health()
    expect(said).toBe('http://127.0.0.1:7347')
  })
})

describe('an address', () => {
  it('is one for all names of this computer, and none for plain http elsewhere', () => {
    expect(['localhost', '127.0.0.1', '[::1]'].map((name) => addressOf(`http://${name}:9/x`))).toEqual(
      Array(3).fill('http://127.0.0.1:9'),
    )
    expect(addressOf('https://home.example/x')).toBe('https://home.example')
    expect(addressOf('http://127.0.0.2:9')).toBeUndefined()
    expect(addressOf('http://home.example')).toBeUndefined()
    expect(() => createClient({ url: 'http://home.example', signer })).toThrow(isUnproven)
  })
})

describe('a page without a device', () => {
  const info = { gateway, key: keys.publicKey, name: 'host', passkeys: false }
  const ports = {
    nonce: signer.nonce,
    hash: signer.hash,
    verify: async (key: string, text: string, signature: string) =>
      verifyText(publicKeyOf(key), text, signature),
  }
  const newcomer = (send: Transport, expected = keys.publicKey) =>
    pairingCalls({ url, fetch: send, isExpected: ({ key }) => key === expected, ports })

  it('knows the gateway by the key that it was told of', async () => {
    expect(await newcomer(answering(info)).info()).toEqual(info)
  })

  it('refuses one with another key, and one that does not hold the key that it names', async () => {
    const other = generateKey()
    const impostor = { ...info, key: other.publicKey }
    await expect(newcomer(answering(impostor, { by: other })).info()).rejects.toThrow(isUnproven)
    await expect(newcomer(answering(info, { by: other })).info()).rejects.toThrow(isUnproven)
  })

  it('keeps to the key that it began with', async () => {
    const other = generateKey()
    let by = keys
    const calls = pairingCalls({
      url,
      fetch: (to, request) => answering({ ...info, key: by.publicKey }, { by })(to, request),
      isExpected: () => true,
      ports,
    })
    await calls.info()
    by = other
    await expect(calls.info()).rejects.toThrow(isUnproven)
    await expect(calls.state('0'.repeat(32))).rejects.toThrow(isUnproven)
  })
})
