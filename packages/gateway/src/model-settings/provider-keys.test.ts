import { builtinTools } from '@countersign/tools'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  createProviderKeys,
  type KeyedProvider,
  type ProviderKeys,
  requireKey,
  secretOf,
} from './provider-keys.ts'
import { by, openTestRecords, type TestRecords } from './testing/test-records.ts'

const key = 'sk-0123456789abcdef'
const place = { scheme: 'https', host: 'api.anthropic.com', port: 443 } as const
const provider: KeyedProvider = {
  name: 'mine',
  kind: 'anthropic',
  url: 'https://api.anthropic.com/v1',
  source: 'operator',
}

let world: TestRecords
let keys: ProviderKeys

beforeEach(async () => {
  world = await openTestRecords()
  keys = createProviderKeys({ vault: world.vault, secrets: world.secrets, configured: null })
})
afterEach(() => world.close())

describe('the key of a provider', () => {
  test('is read for its provider at its place, and is masked', async () => {
    expect(await keys.locationOf(provider)).toBe('missing')
    await keys.store(by, 'mine', place, key)
    expect(await keys.valueOf(provider)).toBe(key)
    expect(await keys.locationOf(provider)).toBe('vault')
    expect(world.redactor.text(`it is ${key}`)).toBe('it is ‹secret:provider.mine›')
    expect(JSON.stringify(world.ledger)).not.toContain(key)
  })

  test('goes to no other provider, host, port or scheme', async () => {
    await keys.store(by, 'mine', place, key)
    for (const other of [
      { name: 'other' },
      { url: 'https://api.anthropic.com.evil.example/v1' },
      { url: 'https://api.anthropic.com:8443/v1' },
      { url: 'http://127.0.0.1/v1' },
      { url: 'not an address' },
    ])
      expect(await keys.valueOf({ ...provider, ...other })).toBeUndefined()
  })

  test('is refused to every tool there is, also at its own place', async () => {
    await keys.store(by, 'mine', place, key)
    expect(builtinTools.some(({ name }) => name === 'model_call')).toBe(false)
    for (const { name } of builtinTools)
      expect(await world.vault.check(secretOf('mine'), place, name)).toMatchObject({ kind: 'refused' })
    expect(await world.vault.check(secretOf('mine'), place, 'model_call')).toMatchObject({ kind: 'value' })
  })

  test('counts as used when a call used it, and not when it was only looked at', async () => {
    await keys.store(by, 'mine', place, key)
    await keys.valueOf(provider)
    expect((await world.vault.list())[0]?.lastUsedAt).toBeNull()
    await keys.used(provider)
    expect((await world.vault.list())[0]?.lastUsedAt).not.toBeNull()
  })

  test('goes with its provider, and its absence is no failure', async () => {
    await keys.store(by, 'mine', place, key)
    expect(await keys.remove(by, 'mine')).toBe(true)
    expect(await keys.remove(by, 'mine')).toBe(false)
    expect(await keys.locationOf(provider)).toBe('missing')
  })

  test('is not needed by a server that takes none', async () => {
    expect(await keys.locationOf({ ...provider, kind: 'ollama', url: 'http://127.0.0.1:11434/api' })).toBe(
      'none',
    )
  })

  test('of the configuration is never in the vault', async () => {
    const configured = { provider: 'anthropic', model: 'a', key } as const
    const own = createProviderKeys({ vault: world.vault, secrets: world.secrets, configured })
    const theirs = { ...provider, source: 'configuration' } as const
    expect(await own.locationOf(theirs)).toBe('environment')
    expect(await own.valueOf(theirs)).toBe(key)
    expect(await own.valueOf(provider)).toBeUndefined()
    expect(await world.vault.list()).toEqual([])
  })
})

describe('a key that cannot be kept', () => {
  test.each(['abc-12', 'aaaaaaaaaaaa', 'sk-0123 456789', 'sk-0123456789ä', '{{secret:github}}'])(
    'is refused with what to do, and not repeated: %s',
    (given) => {
      expect(() => requireKey(given)).toThrow(
        expect.objectContaining({ code: 'usage', message: expect.not.stringContaining(given) }),
      )
    },
  )
})
