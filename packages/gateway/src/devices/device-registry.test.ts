import { randomUUIDv7 } from 'node:crypto'
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type DeviceId,
  type DeviceReach,
  type DeviceStatement,
  idFrom,
  type SignedStatement,
  statementText,
  type TrustStatement,
} from '@countersign/contract'
import { appendStatement, generateKey, type KeyPair, signText } from '@countersign/contract/node'
import { openStatementMemory } from '@countersign/executor'
import type { EnrolledDevice } from '@countersign/kernel'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createDeviceRegistry, type DeviceRegistry } from './device-registry.ts'
import { createPairing } from './pairing.ts'
import { createPasskeyRequests } from './passkey-requests.ts'

interface Holder {
  readonly id: DeviceId
  readonly keys: KeyPair
}

const holder = (): Holder => ({ id: idFrom('dev', randomUUIDv7()), keys: generateKey() })
const gateway = idFrom('gw', randomUUIDv7())
const operator = idFrom('op', randomUUIDv7())
const actor = { kind: 'operator', id: 'desk' } as const
const root = holder()
const credential = 'credential-number-01'
const start = Date.parse('2026-11-15T10:00:00.000Z')
let folder: string
let files: { trust: string; devices: string }
let time: number
let revocations: number
let record: Map<DeviceId, EnrolledDevice>

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'countersign-devices-'))
  files = { trust: join(folder, 'trust.json'), devices: join(folder, 'devices.jsonl') }
  time = start
  revocations = 0
  record = new Map()
  const addedAt = new Date(start - 1_000).toISOString()
  writeFileSync(
    files.trust,
    JSON.stringify({
      v: 1,
      operator,
      gateway: { id: gateway, key: generateKey().publicKey },
      executor: { id: idFrom('exe', randomUUIDv7()), key: generateKey().publicKey },
      devices: [{ id: root.id, name: 'desk', key: root.keys.publicKey, addedAt, revokedAt: null }],
    }),
  )
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function open(): DeviceRegistry {
  const clock = () => new Date(time)
  return createDeviceRegistry({
    operator,
    publicOrigins: [],
    files,
    memory: openStatementMemory(join(folder, 'seen.json')),
    verifyPasskey: () => true,
    verifyHere: () => true,
    registeredKey: async () => undefined,
    record: {
      async enrol(_operator, devices) {
        for (const each of devices)
          record.set(each.id, { ...each, name: record.get(each.id)?.name ?? each.name })
      },
      names: async () => new Map([...record].map(([id, { name }]) => [id, name])),
      async rename(_operator, id, name) {
        const known = record.get(id)
        if (known) record.set(id, { ...known, name })
      },
    },
    pairing: createPairing({ gatewayKey: generateKey().publicKey, clock, uuid: randomUUIDv7 }),
    passkeyRequests: createPasskeyRequests(clock, randomUUIDv7),
    act: async () => 1,
    drop: () => undefined,
    filed: () => undefined,
    changed: () => undefined,
    onRevoked: () => {
      revocations += 1
    },
    presence: () => ({ connections: 0, seenAt: null }),
    clock,
  })
}

const shared = () => ({ v: 1 as const, gateway, at: new Date((time += 1)).toISOString() })
const device = (who: Holder, name: string, reach: DeviceReach = 2): DeviceStatement => ({
  ...shared(),
  kind: 'device',
  device: who.id,
  key: who.keys.publicKey,
  name,
  platform: 'Linux',
  reach,
})
const revocation = (target: string): TrustStatement => ({ ...shared(), kind: 'revoke', target })
const signed = (statement: TrustStatement, by: Holder = root): SignedStatement => ({
  statement,
  by: { device: by.id, signature: signText(by.keys.privateKey, statementText(statement)) },
  passkey: null,
})
const proven = (statement: TrustStatement): SignedStatement => ({
  statement,
  by: null,
  passkey: { credential, authenticatorData: '', clientData: '', signature: '' },
})

describe('the name of a device', () => {
  test('is refused while another live device has it, and free again after that one is revoked', async () => {
    const [phone, tablet] = [holder(), holder()]
    const registry = open()
    await registry.accept(signed(device(phone, 'Phone')), actor)
    for (const name of ['phone', 'DESK'])
      await expect(registry.accept(signed(device(tablet, name)), actor)).rejects.toMatchObject({
        code: 'conflict',
      })
    expect((await registry.believed()).devices.has(tablet.id)).toBe(false)
    await registry.accept(signed(revocation(phone.id)), actor)
    await registry.accept(signed(device(tablet, 'phone')), actor)
    expect((await registry.believed()).devices.has(tablet.id)).toBe(true)
  })

  test('counts as the operator gave it, and does not keep a device from being limited', async () => {
    const [phone, tablet] = [holder(), holder()]
    const registry = open()
    await registry.accept(signed(device(phone, 'phone', 3)), actor)
    await registry.rename(phone.id, 'old phone', actor)
    await expect(registry.accept(signed(device(tablet, 'old phone')), actor)).rejects.toMatchObject({
      code: 'conflict',
    })
    await registry.accept(signed(device(tablet, 'phone')), actor)
    await registry.accept(signed(device(phone, 'phone', 0)), actor)
    expect((await registry.believed()).devices.get(phone.id)?.reach).toBe(0)
  })

  test('gets a number where it is asked for, and where a passkey alone has signed it', async () => {
    const browser = holder()
    const registry = open()
    await registry.refresh()
    expect(await registry.freeName('Desk')).toBe('Desk 2')
    expect(await registry.freeName('Firefox')).toBe('Firefox')
    const key = Buffer.from('key').toString('base64')
    appendStatement(
      files.devices,
      signed({ ...shared(), kind: 'passkey', credential, key, name: 'key', site: 'localhost' }),
    )
    await registry.accept(proven(device(browser, 'desk')), actor)
    expect(record.get(browser.id)?.name).toBe('desk 2')
  })
})

describe('statements about one device', () => {
  test('are ten an hour at most', async () => {
    const phone = holder()
    const registry = open()
    await registry.accept(signed(device(phone, 'phone 0')), actor)
    for (let count = 1; count < 10; count += 1)
      await registry.accept(signed(device(phone, `phone ${count}`), phone), actor)
    await expect(registry.accept(signed(device(phone, 'phone 10'), phone), actor)).rejects.toMatchObject({
      code: 'limit_reached',
    })
    await registry.accept(signed(device(holder(), 'tablet')), actor)
    time += 60 * 60_000
    await registry.accept(signed(device(phone, 'phone 10'), phone), actor)
  })

  test('that say nothing new are refused', async () => {
    const phone = holder()
    const registry = open()
    await registry.accept(signed(device(phone, 'phone')), actor)
    await expect(registry.accept(signed(device(phone, 'phone'), phone), actor)).rejects.toThrow('nothing new')
  })
})

describe('a revocation', () => {
  test('is told once, so that the device is out everywhere', async () => {
    const phone = holder()
    const registry = open()
    await registry.accept(signed(device(phone, 'phone')), actor)
    expect(revocations).toBe(0)
    await registry.accept(signed(revocation(phone.id)), actor)
    await registry.refresh()
    expect(revocations).toBe(1)
  })

  test('is not taken back by an older file, also not in another life of the gateway', async () => {
    const phone = holder()
    const registry = open()
    await registry.accept(signed(device(phone, 'phone')), actor)
    copyFileSync(files.devices, join(folder, 'older'))
    await registry.accept(signed(revocation(phone.id)), actor)
    copyFileSync(join(folder, 'older'), files.devices)
    for (const each of [registry, open()])
      await expect(each.believed()).rejects.toMatchObject({
        code: 'config_invalid',
        message: expect.stringContaining('differ from those seen before'),
      })
  })
})
