import { CountersignError, idFrom, type SignedStatement, statementText } from '@countersign/contract'
import { describe, expect, test } from 'vitest'
import { askForPasskey, type FilingParts, filePasskey, fileStatement, type StatementBody } from './filing.ts'

const gateway = idFrom('gw', '1'.padStart(32, '0'))
const own = idFrom('dev', '2'.padStart(32, '0'))
const moment = new Date('2026-11-15T12:00:00.000Z')
const revocation: StatementBody = { kind: 'revoke', target: idFrom('dev', '3'.padStart(32, '0')) }

describe('filing a statement', () => {
  test('the key of this browser signs exactly what is sent', async () => {
    const world = createWorld()
    expect(await fileStatement(world.parts, revocation, { kind: 'device' })).toEqual({
      kind: 'filed',
      ledger: 7,
    })
    const [sent] = world.sent
    expect(sent).toMatchObject({
      statement: { v: 1, kind: 'revoke', gateway, at: moment.toISOString() },
      by: { device: own },
      passkey: null,
    })
    if (sent === undefined) throw new Error('nothing was sent')
    expect(atob(sent.by?.signature ?? '')).toBe(encodeURI(statementText(sent.statement)))
  })

  test('a passkey that is needed proves the same text', async () => {
    const world = createWorld()
    await fileStatement(world.parts, revocation, { kind: 'passkey', credentials: ['k1'] })
    const [sent] = world.sent
    expect(world.proved).toEqual([{ text: sent && statementText(sent.statement), credentials: ['k1'] }])
    expect(sent?.passkey?.credential).toBe('k1')
  })

  test('nothing is sent when the person closes the window of the passkey', async () => {
    const world = createWorld({ cancels: true })
    const filed = await fileStatement(world.parts, revocation, { kind: 'passkey', credentials: ['k1'] })
    expect(filed).toEqual({ kind: 'cancelled' })
    expect(world.sent).toEqual([])
  })

  test('nothing is signed where it is known to be impossible', async () => {
    const world = createWorld()
    const filed = await fileStatement(world.parts, revocation, { kind: 'impossible', reason: 'No.' })
    expect(filed).toEqual({ kind: 'refused', reason: 'No.' })
    expect(world.sent).toEqual([])
  })

  test('a refusal of the gateway is told with what to do next', async () => {
    const world = createWorld({ refuses: true })
    const filed = await fileStatement(world.parts, revocation, { kind: 'device' })
    expect(filed.kind === 'refused' && filed.reason).toMatch(
      /^This statement is out of date\. Check the clock/,
    )
  })
})

describe('filing a passkey', () => {
  test('a second passkey is vouched for by the first', async () => {
    const world = createWorld()
    const filed = await filePasskey(
      world.parts,
      { name: 'YubiKey', known: ['k1'] },
      { kind: 'passkey', credentials: ['k1'] },
    )
    expect(filed.kind).toBe('filed')
    expect(world.registered).toMatchObject([
      {
        signed: {
          statement: { kind: 'passkey', name: 'YubiKey', credential: 'made' },
          passkey: { credential: 'k1' },
        },
      },
    ])
  })

  test('one that waits for a passkey elsewhere is handed over, and nothing is stated here', async () => {
    const world = createWorld()
    expect(await askForPasskey(world.parts, { name: 'phone', known: [] })).toEqual({ kind: 'asked' })
    expect(world.requested).toMatchObject([{ credential: 'made', name: 'phone', site: 'localhost' }])
    expect([...world.registered, ...world.sent, ...world.proved]).toEqual([])
    const closed = createWorld({ cancels: true })
    expect(await askForPasskey(closed.parts, { name: 'phone', known: [] })).toEqual({ kind: 'cancelled' })
    expect(closed.requested).toEqual([])
  })

  test('nothing is registered when none was made', async () => {
    const world = createWorld({ cancels: true })
    const filed = await filePasskey(world.parts, { name: 'YubiKey', known: [] }, { kind: 'device' })
    expect(filed).toEqual({ kind: 'cancelled' })
    expect(world.registered).toEqual([])
  })
})

function createWorld({ cancels = false, refuses = false } = {}) {
  const sent: SignedStatement[] = []
  const registered: unknown[] = []
  const requested: unknown[] = []
  const proved: unknown[] = []
  const stateDevice = async (signed: SignedStatement) => {
    if (refuses)
      throw new CountersignError('expired', 'This statement is out of date.', {
        next: 'Check the clock of this device.',
      })
    sent.push(signed)
    return { ok: true as const, ledger: 7 }
  }
  const client = {
    stateDevice,
    registerPasskey: async (body: unknown) => {
      registered.push(body)
      return { ok: true as const, ledger: 8 }
    },
    requestPasskey: async (body: unknown) => {
      requested.push(body)
    },
  } as unknown as FilingParts['client']
  const parts: FilingParts = {
    client,
    now: () => moment,
    thisDevice: {
      gatewayKey: '',
      gateway,
      device: own,
      name: 'Browser',
      forget: async () => undefined,
      sign: async (text) => btoa(encodeURI(text)),
    },
    passkeys: {
      problem: () => null,
      make: async () =>
        cancels
          ? { kind: 'cancelled' }
          : {
              kind: 'done',
              value: {
                credential: 'made',
                key: btoa('key'),
                site: 'localhost',
                registration: { clientData: btoa('{}'), attestationObject: btoa('a') },
              },
            },
      prove: async (text, credentials) => {
        if (cancels) return { kind: 'cancelled' }
        proved.push({ text, credentials })
        return {
          kind: 'done',
          value: { credential: credentials[0] ?? '', authenticatorData: '', clientData: '', signature: '' },
        }
      },
    },
  }
  return { parts, sent, registered, requested, proved }
}
