import { randomUUIDv7 } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { type DeviceId, idFrom } from '../ids.ts'
import {
  type DeviceReach,
  type PasskeyProof,
  type SignedStatement,
  statementText,
  type TrustStatement,
} from '../trust-statement.ts'
import { type Believed, believe, liveDevices, liveOrigins, livePasskeys } from './believed.ts'
import { generateKey, type KeyPair, signText } from './keys.ts'
import type { TrustFile } from './trust-file.ts'

interface Holder {
  readonly id: DeviceId
  readonly keys: KeyPair
}

const holder = (): Holder => ({ id: idFrom('dev', randomUUIDv7()), keys: generateKey() })
const root = holder()
const second = holder()
const gateway = idFrom('gw', randomUUIDv7())
const trust: TrustFile = {
  v: 1,
  operator: idFrom('op', randomUUIDv7()),
  gateway: { id: gateway, key: generateKey().publicKey },
  executor: { id: idFrom('exe', randomUUIDv7()), key: generateKey().publicKey },
  devices: [rootEntry(root), rootEntry(second)],
}

function rootEntry({ id, keys }: Holder) {
  return { id, name: 'desk', key: keys.publicKey, addedAt: time(0), revokedAt: null as string | null }
}

function time(minute: number): string {
  return new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString()
}

const device = (who: Holder, reach: DeviceReach, minute: number): TrustStatement => ({
  v: 1,
  gateway,
  at: time(minute),
  kind: 'device',
  device: who.id,
  key: who.keys.publicKey,
  name: 'phone',
  platform: 'Linux',
  reach,
})
const passkey = (credential: string, minute: number): TrustStatement => ({
  v: 1,
  gateway,
  at: time(minute),
  kind: 'passkey',
  credential,
  key: Buffer.from(`key of ${credential}`).toString('base64'),
  name: 'key',
  site: 'localhost',
})
const revoke = (target: string, minute: number): TrustStatement => ({
  v: 1,
  gateway,
  at: time(minute),
  kind: 'revoke',
  target,
})

/** Stands for an authenticator: its proof names the text. */
const proofOf = (credential: string, statement: TrustStatement): PasskeyProof => ({
  credential,
  authenticatorData: '',
  clientData: Buffer.from(statementText(statement)).toString('base64'),
  signature: Buffer.from(`key of ${credential}`).toString('base64'),
})
const verifyPasskey: Parameters<typeof believe>[2] = (proof, { key, site, text, origins }) =>
  (site === 'localhost' || origins.includes(`https://${site}`)) &&
  proof.signature === key &&
  Buffer.from(proof.clientData, 'base64').toString() === text

function signed(statement: TrustStatement, by: Holder | null, credential?: string): SignedStatement {
  return {
    statement,
    by: by && { device: by.id, signature: signText(by.keys.privateKey, statementText(statement)) },
    passkey: credential === undefined ? null : proofOf(credential, statement),
  }
}

const after = (...statements: SignedStatement[]) => believe(trust, statements, verifyPasskey)
const reachOf = (believed: Believed, { id }: Holder) => believed.devices.get(id)?.reach
const problemOf = async (...statements: SignedStatement[]) => (await after(...statements)).problems.at(-1)
const first = 'credential-number-01'
const other = 'credential-number-02'

describe('an origin', () => {
  const home = 'https://home.example.com'
  const phone = holder()
  const origin = (minute: number): TrustStatement => ({
    v: 1,
    gateway,
    at: time(minute),
    kind: 'origin',
    origin: home,
  })
  const away = (credential: string, minute: number) =>
    ({ ...passkey(credential, minute), site: 'home.example.com' }) as TrustStatement

  test('is accepted by the own device of the host, or with a passkey, and by nothing else', async () => {
    expect(liveOrigins(await after(signed(origin(1), root)))).toEqual([home])
    const paired = signed(device(phone, 3, 1), root)
    expect(await problemOf(paired, signed(origin(2), phone))).toContain('own device of the host')
    expect(await problemOf(signed(origin(2), null))).toContain('nobody')
    const proven = await after(signed(passkey(first, 1), root), signed(origin(2), null, first))
    expect(liveOrigins(proven)).toEqual([home])
    expect(await problemOf(signed(origin(1), root), signed(origin(2), root))).toContain('already')
  })

  test('lets passkeys be made for its site, which are refused without it', async () => {
    expect(await problemOf(signed(away(first, 1), root))).toContain('not accepted')
    const believed = await after(signed(origin(1), root), signed(away(first, 2), root))
    expect(livePasskeys(believed).map(({ site }) => site)).toEqual(['home.example.com'])
    const another = { ...away(first, 2), site: 'evil.example.com' } as TrustStatement
    expect(await problemOf(signed(origin(1), root), signed(another, root))).toContain('not accepted')
  })

  test('takes its passkeys along when it is revoked, and does not come back by what was signed before', async () => {
    const statements = [signed(origin(1), root), signed(away(first, 2), root), signed(revoke(home, 3), root)]
    expect(await problemOf(...statements, signed(device(phone, 3, 4), null, first))).toContain('does not fit')
    expect(await problemOf(...statements, signed(origin(1), root))).toContain('revoked later')
    expect(liveOrigins(await after(...statements, signed(origin(4), root)))).toEqual([home])
    const paired = signed(device(phone, 2, 1), root)
    expect(await problemOf(paired, signed(origin(1), root), signed(revoke(home, 3), phone))).toContain(
      'lower reach',
    )
  })
})

describe('a device', () => {
  const phone = holder()

  test('is believed when a device that seals signed for it', async () => {
    const believed = await after(signed(device(phone, 2, 1), root))
    expect(believed.problems).toEqual([])
    expect(believed.devices.get(phone.id)).toMatchObject({ reach: 2, name: 'phone', root: false })
    expect(believed.devices.get(root.id)).toMatchObject({ reach: 3, root: true })
  })

  test('is not believed without a signature, by a stranger, by itself or with another statement’s signature', async () => {
    const made = device(phone, 2, 1)
    expect(await problemOf(signed(made, null))).toContain('nobody')
    expect(await problemOf(signed(made, holder()))).toContain('unknown')
    expect(await problemOf(signed(made, phone))).toContain('unknown')
    const lent = { ...signed(device(phone, 2, 1), root), statement: device(phone, 3, 1) }
    expect(await problemOf(lent)).toContain('does not fit')
    expect(await problemOf(signed({ ...made, gateway: idFrom('gw', randomUUIDv7()) }, root))).toContain(
      'another gateway',
    )
  })

  test('that only decides or looks lets nobody in', async () => {
    const tablet = holder()
    for (const reach of [0, 2] as const) {
      const believed = await after(
        signed(device(phone, reach, 1), root),
        signed(device(tablet, 0, 2), phone),
        signed(device(phone, 3, 3), phone),
      )
      expect(reachOf(believed, tablet)).toBeUndefined()
      expect(reachOf(believed, phone)).toBe(reach)
      expect(believed.problems).toHaveLength(2)
    }
    const chain = await after(signed(device(phone, 3, 1), root), signed(device(tablet, 3, 2), phone))
    expect(reachOf(chain, tablet)).toBe(3)
  })

  test('is limited by one that seals or by itself, and an older statement does not raise it again', async () => {
    const raised = signed(device(phone, 3, 1), root)
    const limited = signed(device(phone, 2, 2), root)
    expect(reachOf(await after(raised, limited, raised), phone)).toBe(2)
    expect(await problemOf(raised, limited, raised)).toContain('later')
    expect(reachOf(await after(raised, signed(device(phone, 0, 2), phone)), phone)).toBe(0)
    expect(reachOf(await after(raised, limited, signed(device(phone, 3, 3), root)), phone)).toBe(3)
    const tablet = holder()
    const two = [raised, signed(device(tablet, 2, 1), root)]
    expect(await problemOf(...two, signed(device(phone, 2, 2), tablet))).toContain('nothing but itself')
  })

  test('keeps its key, and a key keeps its device', async () => {
    const known = signed(device(phone, 3, 1), root)
    const rekeyed = device({ id: phone.id, keys: generateKey() }, 3, 2)
    expect(await problemOf(known, signed(rekeyed, root))).toContain('another key')
    const renamed = device({ id: holder().id, keys: phone.keys }, 3, 2)
    expect(await problemOf(known, signed(renamed, root))).toContain('another device')
    expect(
      await problemOf(known, signed(revoke(phone.id, 2), root), signed({ ...renamed, at: time(3) }, root)),
    ).toContain('another device')
  })

  test('is not stated again without anything new, also by itself', async () => {
    const known = signed(device(phone, 2, 1), root)
    for (const by of [root, phone])
      expect(await problemOf(known, signed(device(phone, 2, 2), by))).toContain('nothing new')
    const renamed = { ...device(phone, 2, 2), name: 'old phone' } as TrustStatement
    expect((await after(known, signed(renamed, phone))).problems).toEqual([])
  })

  test('has a name that can be written anywhere', async () => {
    for (const name of ['a\u0000b', 'a\nb', 'a\ud800'])
      expect(
        await problemOf({
          ...signed(device(phone, 2, 1), root),
          statement: { ...device(phone, 2, 1), name } as never,
        }),
      ).toContain('cannot be written')
  })

  test('must have a key of 32 bytes', async () => {
    const key = Buffer.alloc(33, 7).toString('base64')
    expect(await problemOf(signed({ ...device(phone, 2, 1), key } as TrustStatement, root))).toContain('key')
  })
})

describe('a revocation', () => {
  const phone = holder()
  const paired = signed(device(phone, 2, 1), root)

  test('is permanent, and what the device signs afterwards does not count', async () => {
    const strong = signed(device(phone, 3, 1), root)
    const tablet = holder()
    const believed = await after(
      strong,
      signed(revoke(phone.id, 2), root),
      signed(device(phone, 3, 3), root),
      signed(device(tablet, 2, 3), phone),
    )
    expect(believed.devices.get(phone.id)?.revokedAt).toBe(time(2))
    expect(reachOf(believed, tablet)).toBeUndefined()
    expect(believed.problems).toHaveLength(2)
  })

  test('of itself takes any device, of another one that seals', async () => {
    expect((await after(paired, signed(revoke(phone.id, 2), phone))).problems).toEqual([])
    expect(await problemOf(paired, signed(revoke(root.id, 2), phone))).toContain('nothing but itself')
    expect(await problemOf(paired, signed(revoke(phone.id, 2), null))).toContain('nobody')
  })

  test('reaches roots, but never the last device that seals', async () => {
    const believed = await after(signed(revoke(second.id, 1), root), signed(revoke(root.id, 2), root))
    expect(liveDevices(believed).map(({ id }) => id)).toEqual([root.id])
    expect(believed.problems[0]).toContain('last device')
    expect(await problemOf(signed(revoke(second.id, 1), root), signed(device(root, 2, 2), root))).toContain(
      'last device',
    )
  })

  test('in the trust file takes away what the root signed', async () => {
    const devices = [{ ...rootEntry(root), revokedAt: time(5) }, rootEntry(second)]
    const believed = await believe({ ...trust, devices }, [paired], verifyPasskey)
    expect(liveDevices(believed).map(({ id }) => id)).toEqual([second.id])
  })
})

describe('a passkey', () => {
  const phone = holder()
  const added = signed(passkey(first, 1), root)

  test('once there is one, is needed beside a device to let anything in, and suffices alone', async () => {
    const made = device(phone, 3, 2)
    expect((await after(added)).problems).toEqual([])
    expect(await problemOf(added, signed(made, root))).toContain('proof of a passkey')
    expect(await problemOf(added, signed(passkey(other, 2), root))).toContain('proof of a passkey')
    for (const by of [root, null]) {
      expect(reachOf(await after(added, signed(made, by, first)), phone)).toBe(3)
      expect(livePasskeys(await after(added, signed(passkey(other, 2), by, first)))).toHaveLength(2)
    }
  })

  test('that is unknown, was revoked or proved another statement lets nobody in', async () => {
    const made = device(phone, 3, 2)
    expect(await problemOf(signed(made, null, first))).toContain('unknown')
    expect(await problemOf(added, signed(made, null, other))).toContain('unknown')
    const lent = { ...signed(made, null, first), statement: device(phone, 2, 2) }
    expect(await problemOf(added, lent)).toContain('does not fit')
    const gone = signed(revoke(first, 2), null, first)
    expect(await problemOf(added, gone, signed({ ...made, at: time(3) }, null, first))).toContain('revoked')
    expect(await problemOf(added, gone, signed(passkey(first, 3), root))).toContain('permanent')
  })

  test('never has the name of a device, so that a revocation means one thing', async () => {
    for (const credential of [root.id, phone.id])
      expect(await problemOf(signed(passkey(credential, 1), root))).toContain('reads as a device')
  })

  test('has a credential in one spelling only', async () => {
    for (const credential of ['credential-number-1', `${first}=`, 'credential+number+01', `${first}\u00e9`])
      expect(await problemOf(signed(passkey(credential, 1), root))).toContain('not canonical')
  })

  test('is not needed to limit or to revoke a device', async () => {
    const paired = signed(device(phone, 3, 1), root)
    expect((await after(paired, added, signed(device(phone, 2, 2), root))).problems).toEqual([])
    expect((await after(paired, added, signed(revoke(phone.id, 2), root))).problems).toEqual([])
    expect((await after(paired, added, signed(revoke(phone.id, 2), null, first))).problems).toEqual([])
  })

  test('is revoked with a passkey or by the host’s own device, not by one that was let in', async () => {
    const paired = signed(device(phone, 3, 1), root)
    expect(await problemOf(paired, added, signed(revoke(first, 2), phone))).toContain(
      'own device of the host',
    )
    expect((await after(paired, added, signed(revoke(first, 2), phone, first))).problems).toEqual([])
    expect((await after(paired, added, signed(revoke(first, 2), root))).problems).toEqual([])
  })
})
