import { attestedKey } from '@countersign/contract/client'
import { describe, expect, it } from 'vitest'
import { type PasskeyRules, passkeyVerifier, registeredKey, verifyPasskey } from './passkey.ts'
import { type AuthenticatorOptions, createAuthenticator } from './testing/authenticator.ts'

const holder = createAuthenticator()
const text = 'what is to be proven'
const about = { key: holder.key, site: 'localhost', text, origins: [] }
const proven = (changed: AuthenticatorOptions) => verifyPasskey(holder.prove(text, changed), about)

/** Flips one bit of one byte. */
function spoilt(base64: string, index: number): string {
  const bytes = Buffer.from(base64, 'base64')
  bytes[index] = (bytes[index] ?? 0) ^ 1
  return bytes.toString('base64')
}

describe('the proof of a passkey', () => {
  it('holds for its text, its key and its site', async () => {
    expect(await verifyPasskey(holder.prove(text), about)).toBe(true)
    expect(await verifyPasskey(holder.prove(text), { ...about, text: `${text}.` })).toBe(false)
    expect(await verifyPasskey(holder.prove(text), { ...about, key: createAuthenticator().key })).toBe(false)
    expect(await verifyPasskey(holder.prove(text), { ...about, site: 'example.com' })).toBe(false)
  })

  it.each<[string, AuthenticatorOptions]>([
    ['nobody was verified', { verifies: false }],
    ['nobody was there', { present: false }],
    ['another site', { site: 'example.com' }],
    ['a page of another host', { origin: 'http://example.com:7347' }],
    ['a page under a name of it', { origin: 'http://localhost.example.com:7347' }],
    ['a page at its address', { origin: 'http://127.0.0.1:7347' }],
    ['a file', { origin: 'null' }],
    ['a page within another', { browserSays: { crossOrigin: true } }],
    ['a page above', { browserSays: { topOrigin: 'http://example.com' } }],
    ['the making of a key', { type: 'webauthn.create' }],
  ])('does not hold for %s', async (_, changed) => {
    expect(await proven(changed)).toBe(false)
  })

  it('holds at any port of the site, or only at those that are named', async () => {
    expect(await proven({ origin: 'http://localhost:9999' })).toBe(true)
    const here = passkeyVerifier(() => ({ ports: [7347] }))
    expect(await here(holder.prove(text), about)).toBe(true)
    expect(await here(holder.prove(text, { origin: 'http://localhost:9999' }), about)).toBe(false)
  })

  it('needs a certificate for every site but the machine itself', async () => {
    const made = createAuthenticator({ site: 'home.example.com' })
    const elsewhere = { key: made.key, site: 'home.example.com', text, origins: ['https://home.example.com'] }
    expect(await verifyPasskey(made.prove(text, { origin: 'https://home.example.com' }), elsewhere)).toBe(
      true,
    )
    expect(await verifyPasskey(made.prove(text, { origin: 'http://home.example.com' }), elsewhere)).toBe(
      false,
    )
  })

  it('holds elsewhere only at an origin that the operator accepted', async () => {
    const site = 'home.example.com'
    const made = createAuthenticator({ site })
    const at = (origin: string, origins: readonly string[], rules: PasskeyRules = {}) =>
      passkeyVerifier(() => rules)(made.prove(text, { origin, site }), { key: made.key, site, text, origins })
    const home = 'https://home.example.com'
    expect(await at(home, [home])).toBe(true)
    expect(await at(home, [])).toBe(false)
    expect(await at(`${home}:8443`, [home])).toBe(false)
    expect(await at(home, ['https://other.example.com'])).toBe(false)
    expect(await at('https://localhost', [home])).toBe(false)
    expect(await at(home, [home], { pages: ['https://other.example.com'] })).toBe(false)
    expect(await at(home, [home], { pages: [home] })).toBe(true)
  })

  it('is refused with any one byte changed', async () => {
    const proof = holder.prove(text)
    for (const part of ['authenticatorData', 'clientData', 'signature'] as const) {
      const { length } = Buffer.from(proof[part], 'base64')
      for (let index = 0; index < length; index += 1)
        expect(
          await verifyPasskey({ ...proof, [part]: spoilt(proof[part], index) }, about),
          `${part} ${index}`,
        ).toBe(false)
    }
  })

  it('is refused in another spelling of the same bytes', async () => {
    const proof = holder.prove(text)
    for (const part of ['authenticatorData', 'clientData', 'signature'] as const)
      expect(await verifyPasskey({ ...proof, [part]: proof[part].replace(/=*$/, '=\n') }, about)).toBe(false)
    expect(await verifyPasskey({ ...proof, clientData: 'bm90IGpzb24=' }, about)).toBe(false)
  })
})

describe('the making of a passkey', () => {
  const made = { ...holder.register(text), credential: holder.credential }
  const site = { site: 'localhost', text, origins: [] }

  it('gives the key that the authenticator made, the same that a page finds', async () => {
    expect(await registeredKey(made, site)).toBe(holder.key)
    expect(attestedKey(made.authenticatorData)).toEqual({ credential: holder.credential, key: holder.key })
    expect(await registeredKey(made, site, { ports: [7347] })).toBe(holder.key)
  })

  it('is refused for another text, credential, site or port, without verification, and for a proof', async () => {
    expect(await registeredKey(made, { ...site, text: 'another' })).toBeUndefined()
    expect(await registeredKey({ ...made, credential: 'another-credential' }, site)).toBeUndefined()
    expect(await registeredKey(made, { ...site, site: 'example.com' })).toBeUndefined()
    expect(await registeredKey(made, site, { ports: [1] })).toBeUndefined()
    for (const changed of [{ verifies: false }, { site: 'example.com' }, { type: 'webauthn.get' }] as const) {
      const other = { ...holder.register(text, changed), credential: holder.credential }
      expect(await registeredKey(other, site)).toBeUndefined()
    }
  })

  it.each(['EdDSA', 'RS256'] as const)('works with a key of %s too', async (algorithm) => {
    const other = createAuthenticator({ algorithm })
    const registration = { ...other.register(text), credential: other.credential }
    expect(await registeredKey(registration, site)).toBe(other.key)
    expect(attestedKey(registration.authenticatorData)).toEqual({
      credential: other.credential,
      key: other.key,
    })
    const proof = other.prove(text)
    expect(await verifyPasskey(proof, { ...site, key: other.key })).toBe(true)
    expect(await verifyPasskey(proof, { ...site, key: other.key, text: 'another' })).toBe(false)
    expect(
      await verifyPasskey({ ...proof, signature: spoilt(proof.signature, 5) }, { ...site, key: other.key }),
    ).toBe(false)
  })

  it('finds no key where there is none', () => {
    const head = Buffer.from(holder.prove(text).authenticatorData, 'base64')
    expect(attestedKey(new Uint8Array(head))).toBeUndefined()
    for (let length = 0; length < made.authenticatorData.length; length += 1)
      expect(attestedKey(made.authenticatorData.subarray(0, length))).toBeUndefined()
  })
})
