import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { writeNew } from './files.ts'
import { homePaths } from './home.ts'
import { generateKey, publicKeyOf, readKey, readOrCreateKey, signText, verifyText } from './keys.ts'
import { establishHost, readTrust, revokeDevice } from './trust-file.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'countersign-contract-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

describe('keys', () => {
  test('are readable by their owner only, and refused when others can read them', () => {
    const path = join(home, 'a.key')
    const made = readOrCreateKey(path)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(readOrCreateKey(path).publicKey).toBe(made.publicKey)
    chmodSync(path, 0o640)
    expect(() => readKey(path)).toThrow('can be read by others')
  })

  test('verify what they signed and nothing else', () => {
    const key = generateKey()
    const signature = signText(key.privateKey, 'text')
    const verify = (text: string, given: string) => verifyText(publicKeyOf(key.publicKey), text, given)
    expect(verify('text', signature)).toBe(true)
    expect(verify('texT', signature)).toBe(false)
    expect(verify('text', signature.slice(4))).toBe(false)
    expect(verifyText(publicKeyOf(generateKey().publicKey), 'text', signature)).toBe(false)
  })
})

describe('the trust file', () => {
  const paths = () => homePaths({ COUNTERSIGN_HOME: home }, 'linux')

  test('is made once and then only read', () => {
    const first = establishHost(paths(), 'desk', new Date(0))
    const second = establishHost(paths(), 'another name', new Date(1))
    expect(second.trust).toEqual(first.trust)
    expect(first.trust.devices).toMatchObject([{ name: 'desk', revokedAt: null }])
  })

  test('refuses a device key that it does not name', () => {
    establishHost(paths(), 'desk', new Date(0))
    rmSync(paths().deviceKey)
    expect(() => establishHost(paths(), 'desk', new Date(0))).toThrow('not in the trust file')
  })

  test('remembers a revocation', () => {
    const { device } = establishHost(paths(), 'desk', new Date(0))
    revokeDevice(paths().trust, device.id, new Date(5))
    expect(readTrust(paths().trust).devices[0]?.revokedAt).toBe(new Date(5).toISOString())
  })

  test('is refused when damaged', () => {
    establishHost(paths(), 'desk', new Date(0))
    writeFileSync(paths().trust, readFileSync(paths().trust, 'utf8').replace('"v": 1', '"v": 2'))
    expect(() => readTrust(paths().trust)).toThrow('missing or damaged')
  })
})

test('the first of two writers of a new file wins', () => {
  const path = join(home, 'x')
  expect(writeNew(path, 'one')).toBe(true)
  expect(writeNew(path, 'two')).toBe(false)
  expect(readFileSync(path, 'utf8')).toBe('one')
})

test.each([
  ['linux', { XDG_DATA_HOME: '/x/data' }, '/x/data/countersign'],
  ['linux', { COUNTERSIGN_HOME: '/h', XDG_DATA_HOME: '/x/data' }, '/h/data'],
  ['win32', { LOCALAPPDATA: '/local' }, '/local/countersign'],
] as const)('finds the data folder on %s', (platform, environment, expected) => {
  expect(homePaths(environment, platform).data).toBe(expected)
})
