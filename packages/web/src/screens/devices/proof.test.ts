import { type DeviceReach, type DeviceView, idFrom, type PasskeyView } from '@countersign/contract'
import { describe, expect, test } from 'vitest'
import {
  asksElsewhere,
  isLastSealer,
  proofForReach,
  proofToLimit,
  proofToRevoke,
  proofToRevokePasskey,
  proofToWiden,
} from './proof.ts'

const site = 'localhost'

describe('the proof that a change of devices needs', () => {
  test('a browser that seals lets others in by its key alone while there is no passkey', () => {
    expect(proofToWiden({ devices: [device(1, 3, { thisOne: true })], passkeys: [], site })).toEqual({
      kind: 'device',
    })
  })

  test('a browser that only decides lets nobody in', () => {
    const devices = [device(1, 2, { thisOne: true }), device(2, 3)]
    expect(proofToWiden({ devices, passkeys: [], site }).kind).toBe('impossible')
  })

  test('with a passkey registered, letting in needs it, whatever the browser may do', () => {
    const devices = [device(1, 3, { thisOne: true })]
    expect(proofToWiden({ devices, passkeys: [passkey('k1')], site })).toEqual({
      kind: 'passkey',
      credentials: ['k1'],
    })
  })

  test('a revoked passkey is asked for by nobody', () => {
    const devices = [device(1, 3, { thisOne: true })]
    const revoked = passkey('k1', { revokedAt: '2026-11-01T00:00:00.000Z' })
    expect(proofToWiden({ devices, passkeys: [revoked], site }).kind).toBe('device')
  })

  test('a new passkey waits for one elsewhere only where there is one, none works here and the browser seals', () => {
    const asks = (reach: DeviceReach, passkeys: readonly PasskeyView[]) =>
      asksElsewhere({ devices: [device(1, reach, { thisOne: true }), device(2, 3)], passkeys, site })
    const away = passkey('k1', { site: 'home.example' })
    expect(asks(3, [away])).toBe(true)
    expect(asks(2, [away])).toBe(false)
    expect(asks(3, [])).toBe(false)
    expect(asks(3, [away, passkey('k2')])).toBe(false)
    expect(asks(3, [passkey('k1', { site: 'home.example', revokedAt: '2026-11-01T00:00:00.000Z' })])).toBe(
      false,
    )
  })

  test('a passkey of another site is no use here, and the page says where it is', () => {
    const devices = [device(1, 3, { thisOne: true })]
    const proof = proofToWiden({ devices, passkeys: [passkey('k1', { site: 'home.example' })], site })
    expect(proof).toMatchObject({ kind: 'impossible' })
    expect(proof.kind === 'impossible' && proof.reason).toContain('home.example')
  })

  test('a browser that only looks limits itself and no other', () => {
    const own = device(1, 2, { thisOne: true })
    const other = device(2, 3)
    const authority = { devices: [own, other, device(3, 3)], passkeys: [], site }
    expect(proofToLimit(authority, own, 0).kind).toBe('device')
    expect(proofToLimit(authority, other, 0).kind).toBe('impossible')
  })

  test('the last device that seals is neither limited nor revoked', () => {
    const last = device(1, 3, { thisOne: true })
    const gone = device(2, 3, { revokedAt: '2026-11-01T00:00:00.000Z' })
    const authority = { devices: [last, gone, device(3, 2)], passkeys: [passkey('k1')], site }
    expect(isLastSealer(authority, last)).toBe(true)
    expect(proofToLimit(authority, last, 'revoked').kind).toBe('impossible')
    expect(proofToLimit(authority, last, 2).kind).toBe('impossible')
    expect(proofToLimit({ ...authority, devices: [last, device(2, 3)] }, last, 2).kind).toBe('device')
  })

  test('more reach is weighed like letting in, less like limiting', () => {
    const own = device(1, 3, { thisOne: true })
    const phone = device(2, 2)
    const authority = { devices: [own, phone], passkeys: [passkey('k1')], site }
    expect(proofForReach(authority, phone, 3).kind).toBe('passkey')
    expect(proofForReach(authority, phone, 0).kind).toBe('device')
  })

  test('a node or an origin is revoked by any device that seals, and by a passkey elsewhere', () => {
    const looks = { devices: [device(1, 2, { thisOne: true })], passkeys: [], site }
    expect(proofToRevoke({ ...looks, devices: [device(1, 3, { thisOne: true })] }).kind).toBe('device')
    expect(proofToRevoke(looks).kind).toBe('impossible')
    expect(proofToRevoke({ ...looks, passkeys: [passkey('k1')] }).kind).toBe('passkey')
  })

  test('a passkey is revoked with a passkey, or by the host itself', () => {
    const passkeys = [passkey('k1')]
    const browser = device(1, 3, { thisOne: true })
    expect(proofToRevokePasskey({ devices: [browser], passkeys, site }).kind).toBe('passkey')
    const host = device(1, 3, { thisOne: true, root: true })
    expect(proofToRevokePasskey({ devices: [host], passkeys, site }).kind).toBe('device')
  })
})

function device(number: number, reach: DeviceReach, other: Partial<DeviceView> = {}): DeviceView {
  return {
    id: idFrom('dev', number.toString(16).padStart(32, '0')),
    name: `Device ${number}`,
    platform: 'Linux',
    key: btoa('k'.repeat(32)),
    reach,
    addedAt: '2026-10-01T00:00:00.000Z',
    revokedAt: null,
    root: false,
    seenAt: null,
    connections: 0,
    thisOne: false,
    ...other,
  }
}

function passkey(credential: string, other: Partial<PasskeyView> = {}): PasskeyView {
  return { credential, name: 'Key', site, addedAt: '2026-10-01T00:00:00.000Z', revokedAt: null, ...other }
}
