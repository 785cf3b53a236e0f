import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ApprovalSubject, Effect, Resource, UrlResource } from '@countersign/contract'
import { revokeDevice } from '@countersign/contract/node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Executor, openExecutor } from './executor.ts'
import { createTestHost, type PermitRequest, sealFor, sealTestPermit, type TestHost } from './testing/host.ts'
import { leastTier, verifyPermit } from './verify.ts'

let host: TestHost
let executor: Executor
let shift: { wall: number; steady: number }

beforeAll(async () => {
  host = createTestHost()
  shift = { wall: 0, steady: 0 }
  const clocks = { wall: () => Date.now() + shift.wall, steady: () => performance.now() + shift.steady }
  executor = await openExecutor(host.options, { clocks })
  writeFileSync(join(host.workspace, 'a.txt'), 'a')
})
afterAll(async () => {
  await executor.close()
  host.remove()
})

const read: PermitRequest = { tool: 'read_file', args: { path: 'a.txt' } }
const post: PermitRequest = { tool: 'http_request', args: { url: 'https://example.com/', method: 'POST' } }
const get: PermitRequest = { tool: 'http_request', args: { url: 'https://example.com/' } }
const reasonFor = async (wish: PermitRequest) => {
  const verdict = await verifyPermit(await sealTestPermit(host, wish, executor.resolve), executor.world)
  return verdict.kind === 'refused' ? verdict.reason : 'valid'
}
const approval = `apr_${'0'.repeat(32)}` as NonNullable<ApprovalSubject['approval']>

describe('a permit', () => {
  it('holds for nothing before the gateway has said what holds', async () => {
    expect(await reasonFor(read)).toContain('has not announced')
    executor.setWorld(host.world)
    expect(await reasonFor(read)).toBe('valid')
  })

  it('is sealed by the gateway up to tier 2, and above by a device', async () => {
    expect(await reasonFor(get)).toBe('valid')
    expect(await reasonFor({ ...get, sealBy: 'device' })).toBe('valid')
    expect(await reasonFor(post)).toBe('valid')
    expect(await reasonFor({ ...post, sealBy: 'gateway' })).toContain('device')
    expect(await reasonFor({ ...post, tier: 2 })).toContain('too low')
    expect(await reasonFor({ ...post, tier: 4 })).toContain('passkey')
    expect(await reasonFor({ ...read, sealBy: 'passkey' })).toContain('passkey')
  })

  it('at tier 2 needs an approval or a grant, and a grant goes no higher', async () => {
    const allowed = (grant: string | null) => (subject: ApprovalSubject) =>
      ({ ...subject, decision: 'allow', approval: null, grant }) as const
    expect(await reasonFor({ ...get, change: allowed('grant') })).toBe('valid')
    expect(await reasonFor({ ...get, change: allowed(null) })).toContain('needs an approval')
    expect(await reasonFor({ ...post, change: allowed('grant') })).toContain('needs an approval')
    expect(await reasonFor({ ...read, change: (subject) => ({ ...subject, approval }) })).toContain(
      'contradict',
    )
    expect(
      await reasonFor({ ...read, change: (subject) => ({ ...subject, approval, decision: 'ask' }) }),
    ).toBe('valid')
  })

  it('lives ten minutes after the decision and not past its end', async () => {
    const before = (ms: number) => new Date(Date.now() - ms)
    expect(await reasonFor({ ...read, at: before(9 * 60_000) })).toBe('valid')
    expect(await reasonFor({ ...read, at: before(10 * 60_000) })).toContain('expired')
    expect(await reasonFor({ ...read, at: before(-4000) })).toBe('valid')
    expect(await reasonFor({ ...read, at: before(-8000) })).toContain('future')
    const notAfter = before(1).toISOString()
    expect(await reasonFor({ ...read, change: (subject) => ({ ...subject, notAfter }) })).toContain('expired')
  })

  it('that uses a secret needs an approval, whatever its grant', async () => {
    const change = (subject: ApprovalSubject): ApprovalSubject => ({
      ...subject,
      decision: 'allow',
      approval: null,
      grant: 'grant',
      secrets: ['x'],
    })
    expect(await reasonFor({ ...get, change })).toContain('the use of a secret needs an approval')
  })

  it('with another secret is refused, and made for another epoch too', async () => {
    const approved = { approval, decision: 'ask' } as const
    expect(
      await reasonFor({ ...read, change: (subject) => ({ ...subject, ...approved, secrets: ['x'] }) }),
    ).toContain('secrets')
    const gateway = { ...host.identity.trust.gateway, epoch: 2 }
    const change = (subject: ApprovalSubject) => ({
      ...subject,
      gateway: { id: gateway.id, epoch: gateway.epoch },
    })
    expect(await reasonFor({ ...read, change })).toContain('epoch')
  })

  it('does not survive a jump of the wall clock', async () => {
    const permit = await sealTestPermit(host, read, executor.resolve)
    shift.wall = -60_000
    const late = { ...permit, seal: sealFor(host, permit.subject, 'gateway', new Date(Date.now() - 30_000)) }
    expect(await verifyPermit(late, executor.world)).toMatchObject({
      reason: expect.stringContaining('future'),
    })
    shift.steady = 40_000
    shift.wall = -20_000
    expect(await verifyPermit(late, executor.world)).toMatchObject({
      reason: expect.stringContaining('clock was set'),
    })
    shift.wall = 60_000
    shift.steady = 120_000
    expect(await reasonFor({ ...read, at: new Date(Date.now() + 60_000) })).toBe('valid')
  })

  it('of a device is refused from the moment the device is revoked', async () => {
    const at = new Date(Date.now() + shift.wall)
    const permit = await sealTestPermit(host, { ...post, at }, executor.resolve)
    expect(await verifyPermit(permit, executor.world)).toMatchObject({ kind: 'valid' })
    revokeDevice(host.options.trustFile, host.identity.device.id, new Date())
    expect(await verifyPermit(permit, executor.world)).toMatchObject({
      reason: expect.stringContaining('revoked'),
    })
  })

  it('is refused whatever it is while the trust file is damaged', async () => {
    const permit = await sealTestPermit(
      host,
      { ...read, at: new Date(Date.now() + shift.wall) },
      executor.resolve,
    )
    expect(await verifyPermit(permit, executor.world)).toMatchObject({ kind: 'valid' })
    writeFileSync(host.options.trustFile, '{}')
    expect(await verifyPermit(permit, executor.world)).toMatchObject({ kind: 'refused' })
  })
})

describe('the least tier', () => {
  const effect: Effect = {
    verb: 'read',
    object: '',
    scope: 'inside',
    reversible: true,
    outward: false,
    leaves: [],
  }

  it.each<[Partial<Effect>, number]>([
    [{}, 0],
    [{ verb: 'list' }, 0],
    [{ verb: 'write' }, 1],
    [{ scope: 'boundary' }, 2],
    [{ verb: 'fetch', scope: 'boundary' }, 2],
    [{ verb: 'write', scope: 'boundary' }, 3],
    [{ verb: 'delete', scope: 'boundary' }, 3],
    [{ verb: 'write', scope: 'host-run' }, 2],
    [{ verb: 'fetch', scope: 'boundary', reversible: false }, 3],
    [{ verb: 'write', reversible: false }, 3],
    [{ verb: 'delete' }, 1],
    [{ verb: 'delete', reversible: false }, 3],
    [{ verb: 'execute' }, 3],
    [{ verb: 'send' }, 3],
    [{ outward: true }, 3],
    [{ verb: 'spend' }, 3],
    [{ verb: 'authority' }, 4],
  ])('of %j is %i', (change, tier) => {
    expect(leastTier({ effects: [effect, { ...effect, ...change }], resources: [] }, 0)).toBe(tier)
  })

  it('is never below the floor of the tool', () => {
    expect(leastTier({ effects: [effect], resources: [] }, 3)).toBe(3)
  })

  it.each<[UrlResource['addressClass'], number]>([
    ['public', 2],
    ['name', 2],
    ['private', 3],
  ])('of a look at an address that is %s is %i', (addressClass, tier) => {
    const look: Effect = { ...effect, verb: 'fetch', scope: 'boundary' }
    expect(leastTier({ effects: [look], resources: [urlOf(addressClass)] }, 2)).toBe(tier)
  })

  it('of a command that cannot be inspected needs a device, whatever it says of its effects', () => {
    const command: Resource = {
      type: 'exec',
      path: '/bin/sh',
      content: '0'.repeat(64),
      argv: ['sh'],
      cwd: '.',
      environment: '0'.repeat(64),
      uninspectable: true,
      view: null,
    }
    expect(leastTier({ effects: [effect], resources: [command] }, 0)).toBe(3)
  })
})

function urlOf(addressClass: UrlResource['addressClass']): UrlResource {
  return {
    type: 'url',
    scheme: 'https',
    host: 'example.org',
    port: 443,
    method: 'GET',
    addressClass,
    redirects: 'refused',
    carries: 'address',
  }
}
