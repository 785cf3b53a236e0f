import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ApprovalSubject, type DeviceId, idFrom, permitLifetimeMs } from '@countersign/contract'
import { digestOf, sha256Hex } from '@countersign/contract/node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { largestSkewMs } from './clock.ts'
import { type Executor, openExecutor } from './executor.ts'
import {
  createTestHost,
  deviceOf,
  type PermitRequest,
  sealFor,
  sealTestPermit,
  type TestHost,
} from './testing/host.ts'
import { checkSeal, type PermitWorld, permitChecks, verifyPermit, verifyRead } from './verify.ts'

let host: TestHost
let executor: Executor

beforeAll(async () => {
  host = createTestHost()
  executor = await openExecutor(host.options)
  executor.setWorld(host.world)
  writeFileSync(join(host.workspace, 'a.txt'), 'a')
})
afterAll(async () => {
  await executor.close()
  host.remove()
})

const read: PermitRequest = { tool: 'read_file', args: { path: 'a.txt' } }
const pressed = (wish: PermitRequest) => sealTestPermit(host, wish, executor.resolve)
const reasonOf = async (permit: unknown, world: Partial<PermitWorld> = {}) => {
  const verdict = await verifyPermit(permit, { ...executor.world, ...world })
  return verdict.kind === 'refused' ? verdict.reason : 'valid'
}
const other = sha256Hex('another')
const newId = <Prefix extends 'exe' | 'gw' | 'op'>(prefix: Prefix) => idFrom(prefix, crypto.randomUUID())
const withArgs = (args: string) => ({ args, argsHash: sha256Hex(args) })

describe('a sealed permit is refused', () => {
  it.each<[string, (subject: ApprovalSubject) => Partial<ApprovalSubject>, string]>([
    [
      'for another executor',
      ({ audience }) => ({ audience: { ...audience, executor: newId('exe') } }),
      'another executor',
    ],
    [
      'for another key of the executor',
      ({ audience }) => ({ audience: { ...audience, key: other } }),
      'another executor',
    ],
    [
      'of another gateway',
      ({ gateway }) => ({ gateway: { ...gateway, id: newId('gw') } }),
      'another gateway',
    ],
    ['of another operator', () => ({ operator: newId('op') }), 'another operator'],
    ['of another epoch', ({ gateway }) => ({ gateway: { ...gateway, epoch: 2 } }), 'another epoch'],
    ['made under another policy', () => ({ policy: other }), 'another policy'],
    ['for a tool that is not here', ({ tool }) => ({ tool: { ...tool, name: 'none' } }), 'no tool none'],
    [
      'for another version of the tool',
      ({ tool }) => ({ tool: { ...tool, version: '0' } }),
      'has changed since',
    ],
    [
      'for another definition of the tool',
      ({ tool }) => ({ tool: { ...tool, definition: other } }),
      'has changed since',
    ],
    [
      'for another effect class of the tool',
      ({ tool }) => ({ tool: { ...tool, effect: 'once' } }),
      'has changed since',
    ],
    [
      'with arguments that are not those of their hash',
      () => ({ argsHash: other }),
      'do not match their hash',
    ],
    ['with arguments that are not JSON', () => withArgs('{'), 'not strict JSON'],
    [
      'with arguments that say a name twice',
      () => withArgs('{"path":"a.txt","path":"b"}'),
      'not strict JSON',
    ],
    ['with arguments that the tool does not take', () => withArgs('{"path":1}'), 'do not fit the tool'],
    ['with arguments that are spelt otherwise', ({ args }) => withArgs(` ${args}`), 'not canonical'],
    ['with other resources', () => ({ resources: [] }), 'what the call touches has changed'],
    ['with another sandbox', () => ({ sandbox: 'other' }), 'the confinement has changed'],
    ['with another egress', () => ({ egress: 'other' }), 'the confinement has changed'],
    ['with the chain of another call', ({ chain }) => ({ chain: chain.slice(0, -1) }), 'its chain'],
    ['with the card of another call', () => ({ what: other }), 'its card is not the card of this call'],
  ])('%s', async (_title, change, reason) => {
    const permit = await pressed({ ...read, change: (subject) => ({ ...subject, ...change(subject) }) })
    expect(await reasonOf(permit)).toContain(reason)
  })

  it('when this executor is not the one that the trust file names', async () => {
    const id = newId('exe')
    const change = (subject: ApprovalSubject) => ({
      ...subject,
      audience: { ...subject.audience, executor: id },
    })
    const world = { executor: { ...executor.world.executor, id } }
    expect(await reasonOf(await pressed({ ...read, change }), world)).toContain('another executor')
  })

  it('when its tool runs somewhere else', async () => {
    expect(await reasonOf(await pressed(read), { runs: 'gateway' })).toContain(
      'there is no tool read_file here',
    )
  })

  it('when what it touches cannot be found any more', async () => {
    const resolve = () => Promise.resolve({ kind: 'invalid', reason: 'the disk is gone' } as const)
    expect(await reasonOf(await pressed(read), { resolve })).toBe(
      'it can no longer be done: the disk is gone',
    )
  })

  it('with a field that no permit has, naming the place', async () => {
    const permit = await pressed(read)
    expect(await reasonOf({ ...permit, subject: { ...permit.subject, tier: 9 } })).toBe(
      'not a permit: subject.tier',
    )
  })

  it('with text that has no canonical form, and the executor goes on', async () => {
    const permit = await pressed(read)
    const halfCharacter = { ...permit, subject: { ...permit.subject, key: '\ud800' } }
    expect(await reasonOf(halfCharacter)).toContain('not a permit')
    expect(await executor.execute(halfCharacter, new AbortController().signal)).toMatchObject({
      kind: 'refused',
      reason: expect.stringContaining('not a permit'),
    })
  })
})

describe('a verified permit', () => {
  it('gives the tool and the arguments that were sealed, after one look at the world', async () => {
    let looks = 0
    const resolve: PermitWorld['resolve'] = (tool, args) => {
      looks += 1
      return executor.resolve(tool, args)
    }
    const permit = await pressed(read)
    const verdict = await verifyPermit(permit, { ...executor.world, resolve })
    expect(verdict).toMatchObject({
      kind: 'valid',
      call: { subject: permit.subject, tool: { name: 'read_file' }, args: JSON.parse(permit.subject.args) },
    })
    expect(looks).toBe(1)
  })

  it('runs nothing that cannot be run here, even where no check says so', async () => {
    const none = Object.fromEntries(Object.keys(permitChecks).map((name) => [name, () => null]))
    const verdict = async (change: Partial<ApprovalSubject>) => {
      const permit = await pressed({ ...read, change: (subject) => ({ ...subject, ...change }) })
      return verifyRead({ permit, digest: digestOf(permit.subject) }, executor.world, none as never)
    }
    const { tool } = (await pressed(read)).subject
    expect(await verdict({})).toMatchObject({ kind: 'valid' })
    expect(await verdict({ args: '{' })).toMatchObject({ kind: 'refused' })
    expect(await verdict({ tool: { ...tool, name: 'none' } })).toMatchObject({ kind: 'refused' })
  })
})

describe('the moment of a permit', () => {
  const at = Date.parse('2026-01-01T00:00:00.000Z')
  const reasonAt = async (now: number, { voided = 0, notAfter = at + 2 * permitLifetimeMs } = {}) => {
    const change = (subject: ApprovalSubject) => ({ ...subject, notAfter: new Date(notAfter).toISOString() })
    const permit = await pressed({ ...read, at: new Date(at), change })
    return reasonOf(permit, { clock: { now: () => now, voidedUntil: () => voided } })
  }

  it.each([
    ['decided as far in the future as clocks may differ', at - largestSkewMs, {}, 'valid'],
    ['decided later than that', at - largestSkewMs - 1, {}, 'future'],
    ['a moment before its life is over', at + permitLifetimeMs - 1, {}, 'valid'],
    ['when its life is over', at + permitLifetimeMs, {}, 'expired'],
    ['a moment before its own end', at + 9, { notAfter: at + 10 }, 'valid'],
    ['at its own end', at + 10, { notAfter: at + 10 }, 'expired'],
    ['decided when the clock was set', at, { voided: at }, 'clock was set'],
    ['decided a moment after the clock was set', at, { voided: at - 1 }, 'valid'],
  ])('%s', async (_title, now, settings, reason) => {
    expect(await reasonAt(now, settings)).toContain(reason)
  })
})

describe('a seal', () => {
  it('of a device holds up to the tier that the device may approve', async () => {
    const { subject } = await pressed(read)
    const digest = digestOf(subject)
    const seal = sealFor(host, subject, 'device', new Date())
    const trusted = await executor.world.trust.current()
    if ('problem' in trusted) throw new Error(trusted.problem)
    const id: DeviceId = deviceOf(host)
    const key = trusted.devices.get(id)?.key
    if (!key) throw new Error('The test host has no device.')
    const check = (tier: number, reach: 0 | 2 | 3) =>
      checkSeal(seal, digest, tier, { ...trusted, devices: new Map([[id, { key, reach }]]) })
    expect(await check(2, 2)).toBeNull()
    expect(await check(3, 3)).toBeNull()
    expect(await check(3, 2)).toContain('may not approve tier 3')
    expect(await check(0, 0)).toContain('may not approve tier 0')
  })

  it('has one spelling, and does not fit another call', async () => {
    const permit = await pressed(read)
    const { signature } = permit.seal
    expect(await reasonOf({ ...permit, seal: { ...permit.seal, signature: ` ${signature}` } })).not.toBe(
      'valid',
    )
    const { seal } = await pressed(read)
    expect(await reasonOf({ ...permit, seal })).toBe('the seal does not fit the permit')
    const trusted = await executor.world.trust.current()
    if ('problem' in trusted) throw new Error(trusted.problem)
    const loose = { ...permit.seal, signature: signature.replaceAll('=', '') }
    expect(await checkSeal(loose, digestOf(permit.subject), 0, trusted)).toBe('the seal is not canonical')
  })

  it('of a passkey holds only when the proof is for this site, this key and this text', async () => {
    const { subject } = await pressed(read)
    const trusted = await executor.world.trust.current()
    if ('problem' in trusted) throw new Error(trusted.problem)
    const seal = sealFor(host, subject, 'passkey', new Date())
    const passkeys = new Map([['credential', { key: 'key', site: 'site' } as never]])
    const asked: unknown[] = []
    const check = (answer: boolean) =>
      checkSeal(seal, digestOf(subject), 4, { ...trusted, passkeys }, (proof, expected) => {
        asked.push(proof, expected)
        return Promise.resolve(answer)
      })
    expect(await check(true)).toBeNull()
    expect(await check(false)).toContain('does not fit')
    expect(asked[1]).toMatchObject({
      key: 'key',
      site: 'site',
      text: expect.stringContaining(digestOf(subject)),
    })
    expect(await checkSeal(seal, digestOf(subject), 4, trusted)).toContain('unknown or revoked')
  })
})

it('a tool whose floor nobody knows has the highest tier', async () => {
  const catalogue = { ...executor.world.catalogue, find: () => undefined }
  const permit = await pressed(read)
  const checks = { ...permitChecks, tool: () => null }
  const verdict = await verifyRead(
    { permit, digest: digestOf(permit.subject) },
    { ...executor.world, catalogue },
    checks,
  )
  expect(verdict).toMatchObject({ reason: expect.stringContaining('at least 4') })
})
