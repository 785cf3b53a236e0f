import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type PasskeyProof, type Permit, type Seal, sealText, type Tier } from '@countersign/contract'
import { appendStatement, digestOf, signText } from '@countersign/contract/node'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Executor, openExecutor } from './executor.ts'
import { type Authenticator, createAuthenticator } from './testing/authenticator.ts'
import { createTestHost, type PermitRequest, sealTestPermit, type TestHost } from './testing/host.ts'
import {
  deviceStatement,
  type Holder,
  newHolder,
  passkeyStatement,
  revocation,
  signedBy,
} from './testing/statements.ts'
import { verifyPermit } from './verify.ts'

let host: TestHost
let executor: Executor
let devices: string
let root: Holder
let gateway: ReturnType<typeof gatewayOf>
const gatewayOf = ({ identity }: TestHost) => identity.trust.gateway.id

beforeEach(async () => {
  host = createTestHost()
  executor = await openExecutor(host.options)
  executor.setWorld(host.world)
  devices = join(dirname(host.options.trustFile), 'devices.jsonl')
  root = host.identity.device
  gateway = gatewayOf(host)
})
afterEach(async () => {
  await executor.close()
  host.remove()
})

const get: PermitRequest = { tool: 'http_request', args: { url: 'https://example.com/' } }
const post: PermitRequest = { tool: 'http_request', args: { url: 'https://example.com/', method: 'POST' } }
const pressed = (wish: PermitRequest) => sealTestPermit(host, wish, executor.resolve)
const reasonOf = async (permit: unknown) => {
  const verdict = await verifyPermit(permit, executor.world)
  return verdict.kind === 'refused' ? verdict.reason : 'valid'
}

function sealedBy({ id, keys }: Holder, { subject }: Permit): Permit {
  const decidedAt = new Date().toISOString()
  const signature = signText(keys.privateKey, sealText(digestOf(subject), id, decidedAt))
  return { subject, seal: { by: 'device', device: id, decidedAt, signature } }
}

function provenBy(
  authenticator: Authenticator,
  { subject }: Permit,
  how?: Parameters<Authenticator['prove']>[1],
): Permit & { readonly seal: Extract<Seal, { by: 'passkey' }> } {
  const decidedAt = new Date().toISOString()
  const proof = authenticator.prove(sealText(digestOf(subject), authenticator.credential, decidedAt), how)
  return { subject, seal: { by: 'passkey', decidedAt, ...proof } }
}

describe('a tool that the operator keeps for the passkey', () => {
  it('runs at no lower tier, whatever the gateway signed', async () => {
    const passkeyTools = [get.tool]
    const strict = await openExecutor(
      { ...host.options, replayFile: `${host.options.replayFile}-strict`, passkeyTools },
      {},
    )
    strict.setWorld(host.world)
    try {
      const reason = async (permit: unknown) => {
        const verdict = await verifyPermit(permit, strict.world)
        return verdict.kind === 'refused' ? verdict.reason : 'valid'
      }
      expect(await reason(await pressed(get))).toContain('at least 4')
      expect(await reason(sealedBy(root, await pressed(post)))).toContain('at least 4')
      const authenticator = createAuthenticator()
      appendStatement(devices, signedBy(passkeyStatement(gateway, authenticator), root))
      expect(await reason(provenBy(authenticator, await pressed({ ...get, tier: 4 })))).toBe('valid')
      expect(await reason(await pressed({ tool: 'list_directory', args: { path: '.' } }))).toBe('valid')
    } finally {
      await strict.close()
    }
  })
})

describe('the seal of a paired device', () => {
  it.each<[0 | 2 | 3, PermitRequest, string]>([
    [3, post, 'valid'],
    [2, get, 'valid'],
    [2, post, 'may not approve tier 3'],
    [0, get, 'may not approve tier 2'],
    [3, { ...post, tier: 4 }, 'passkey'],
  ])('with reach %i answers %j with: %s', async (reach, wish, reason) => {
    const phone = newHolder()
    appendStatement(devices, signedBy(deviceStatement(gateway, phone, reach), root))
    expect(await reasonOf(sealedBy(phone, await pressed(wish)))).toContain(reason)
  })

  it('counts from the statement until the revocation, without a restart', async () => {
    const phone = newHolder()
    const permit = await pressed(post)
    expect(await reasonOf(sealedBy(phone, permit))).toContain('unknown')
    appendStatement(devices, signedBy(deviceStatement(gateway, phone, 3), root))
    const sealed = sealedBy(phone, permit)
    expect(await reasonOf(sealed)).toBe('valid')
    appendStatement(devices, signedBy(revocation(gateway, phone.id), root))
    expect(await reasonOf(sealed)).toContain('revoked')
  })

  it('counts for nothing when the gateway appointed the device', async () => {
    const phone = newHolder()
    const statement = deviceStatement(gateway, phone, 3)
    const asGateway = { id: root.id, keys: host.gatewayKey }
    appendStatement(devices, signedBy(statement, null))
    appendStatement(devices, signedBy(statement, asGateway))
    appendStatement(devices, signedBy(statement, phone))
    expect(await reasonOf(sealedBy(phone, await pressed(post)))).toContain('unknown')
    // The roots are believed as before: nonsense in the file does not lock the operator out.
    expect(await reasonOf(await pressed(post))).toBe('valid')
  })

  it('is refused with one byte of the subject or of the seal changed', async () => {
    const phone = newHolder()
    appendStatement(devices, signedBy(deviceStatement(gateway, phone, 3), root))
    const sealed = sealedBy(phone, await pressed(post))
    const seal = sealed.seal as Extract<Seal, { by: 'device' }>
    expect(await reasonOf({ ...sealed, subject: { ...sealed.subject, nonce: 'f'.repeat(32) } })).toContain(
      'does not fit',
    )
    const signature = spoilt(seal.signature, 10)
    expect(await reasonOf({ ...sealed, seal: { ...seal, signature } })).toContain('does not fit')
    const respelt = `${seal.signature.slice(0, -3)}${other(seal.signature.at(-3) ?? '')}==`
    expect(await reasonOf({ ...sealed, seal: { ...seal, signature: respelt } })).toContain('not canonical')
  })
})

describe('the seal of a passkey', () => {
  let passkey: Authenticator
  beforeEach(() => {
    passkey = createAuthenticator()
    appendStatement(devices, signedBy(passkeyStatement(gateway, passkey), root))
  })

  it.each<Tier>([2, 3, 4])('lets a call of tier %i run', async (tier) => {
    const permit = await pressed(tier === 2 ? get : { ...post, tier })
    expect(await reasonOf(provenBy(passkey, permit))).toBe('valid')
  })

  it('is what tier 4 needs: neither a device nor the gateway will do', async () => {
    const permit = await pressed({ ...post, tier: 4 })
    expect(await reasonOf(permit)).toContain('tier 4 needs the seal of a passkey')
    expect(await reasonOf(await pressed({ ...post, tier: 4, sealBy: 'gateway' }))).toContain('passkey')
    expect(await reasonOf(provenBy(createAuthenticator(), permit))).toContain('unknown or revoked')
  })

  it('is refused for another subject, another time, without verification and from another site', async () => {
    const permit = await pressed({ ...post, tier: 4 })
    const sealed = provenBy(passkey, permit)
    const changed = { ...permit.subject, nonce: 'f'.repeat(32) }
    expect(await reasonOf({ ...sealed, subject: changed })).toContain('does not fit')
    const later = new Date(Date.parse(sealed.seal.decidedAt) + 1).toISOString()
    expect(await reasonOf({ ...sealed, seal: { ...sealed.seal, decidedAt: later } })).toContain(
      'does not fit',
    )
    for (const how of [{ verifies: false }, { site: 'example.com' }, { origin: 'http://evil.example' }])
      expect(await reasonOf(provenBy(passkey, permit, how))).toContain('does not fit')
  })

  it.each<keyof PasskeyProof>(['signature', 'clientData', 'authenticatorData'])(
    'is refused with one byte of its %s changed',
    async (part) => {
      const sealed = provenBy(passkey, await pressed({ ...post, tier: 4 }))
      expect(await reasonOf(sealed)).toBe('valid')
      const changed = { ...sealed, seal: { ...sealed.seal, [part]: spoilt(sealed.seal[part], 20) } }
      expect(await reasonOf(changed)).toContain('does not fit')
    },
  )

  it('is refused from the moment the passkey is revoked', async () => {
    const sealed = provenBy(passkey, await pressed({ ...post, tier: 4 }))
    expect(await reasonOf(sealed)).toBe('valid')
    appendStatement(devices, signedBy(revocation(gateway, passkey.credential), null, passkey))
    expect(await reasonOf(sealed)).toContain('revoked')
  })
})

describe('the memory of statements', () => {
  const phone = newHolder()
  let older: string
  beforeEach(async () => {
    older = `${devices}.older`
    appendStatement(devices, signedBy(deviceStatement(gateway, phone, 3), root))
    copyFileSync(devices, older)
    appendStatement(devices, signedBy(revocation(gateway, phone.id), root))
    expect(await reasonOf(sealedBy(phone, await pressed(post)))).toContain('revoked')
  })
  const everything = async () => [
    await reasonOf(sealedBy(phone, await pressed(post))),
    await reasonOf(await pressed(post)),
    await reasonOf(await pressed(get)),
  ]

  it('refuses everything when an older file takes the place of the one that was seen', async () => {
    copyFileSync(older, devices)
    for (const reason of await everything()) expect(reason).toContain('differ from those seen before')
  })

  it('refuses everything when the file is gone or begins otherwise', async () => {
    const text = readFileSync(devices, 'utf8')
    rmSync(devices)
    for (const reason of await everything()) expect(reason).toContain('differ from those seen before')
    writeFileSync(devices, `${text.split('\n').toReversed().join('\n').trim()}\n`)
    for (const reason of await everything()) expect(reason).toContain('differ from those seen before')
    writeFileSync(devices, text)
    expect(await reasonOf(await pressed(post))).toBe('valid')
  })

  it('outlives the executor, and is not read past when it is damaged', async () => {
    await executor.close()
    copyFileSync(older, devices)
    await expect(openExecutor(host.options)).rejects.toThrow('differ from those seen before')
    writeFileSync(join(dirname(host.options.replayFile), 'statements.json'), '{}')
    await expect(openExecutor(host.options)).rejects.toThrow('damaged')
    rmSync(join(dirname(host.options.replayFile), 'statements.json'))
    executor = await openExecutor(host.options)
  })
})

/** Flips one bit of one byte. */
function spoilt(base64: string, index: number): string {
  const bytes = Buffer.from(base64, 'base64')
  bytes[index] = (bytes[index] ?? 0) ^ 1
  return bytes.toString('base64')
}

/** A letter that differs only in bits that base64 does not use at the end. */
function other(letter: string): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
  return letters[letters.indexOf(letter) ^ 1] ?? 'A'
}
