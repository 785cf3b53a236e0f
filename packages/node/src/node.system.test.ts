import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { idFrom, largestNodeFrame, sealText } from '@countersign/contract'
import { digestOf, sha256Hex, signText } from '@countersign/contract/node'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { setPaused } from './node-home.ts'
import { firstPolicy, keepNodePolicy } from './node-policy.ts'
import { forgetDevice } from './statement-log.ts'
import {
  makeTestFolder,
  pairTestNode,
  runTestNode,
  type TestFolder,
  type TestNode,
  type TestNodeOptions,
} from './testing/paired-node.ts'
import {
  approvedPermit,
  generateKey,
  openScriptedGateway,
  permitFor,
  type ScriptedGateway,
  type ScriptedLink,
  tellWorld,
} from './testing/scripted-gateway.ts'

let gateway: ScriptedGateway
let place: TestFolder
let node: TestNode | undefined

beforeEach(async () => {
  gateway = await openScriptedGateway()
  place = makeTestFolder()
  writeFileSync(join(place.shared, 'a.txt'), 'one')
})
afterEach(async () => {
  await node?.close()
  node = undefined
  await gateway.close()
  place.remove()
})

async function connected(options: TestNodeOptions = {}): Promise<ScriptedLink> {
  node = await runTestNode(place, await pairTestNode(gateway, place), options)
  const link = await gateway.connection()
  tellWorld(gateway, link)
  return link
}

const read = { tool: 'device_read_file', args: { node: 'laptop', path: 'a.txt' } }
const write = { tool: 'device_write_file', args: { node: 'laptop', path: 'a.txt', content: 'two' } }
const run = (argv: string[], more = {}) => ({
  tool: 'device_run_program',
  args: { node: 'laptop', argv, ...more },
})
const inShared = (name: string) => readFileSync(join(place.shared, name), 'utf8')

describe('a node', () => {
  it('looks, and runs what a permit lets it', async () => {
    const link = await connected()
    const reply = await link.execute(await approvedPermit(gateway, link, read))
    expect(reply).toMatchObject({ kind: 'done', result: { ok: true, text: 'one' } })
    const permit = await approvedPermit(gateway, link, write)
    expect(permit.subject).toMatchObject({
      tier: 3,
      resources: [{ type: 'node', name: 'laptop', object: 'a.txt' }],
    })
    expect(await link.execute(permit)).toMatchObject({ kind: 'done', result: { ok: true } })
    expect(inShared('a.txt')).toBe('two')
  })

  it('keeps what a change replaced, and puts it back', async () => {
    const link = await connected()
    const remove = { tool: 'device_delete_file', args: { node: 'laptop', path: 'a.txt' } }
    const reply = await link.execute(await approvedPermit(gateway, link, remove))
    expect(existsSync(join(place.shared, 'a.txt'))).toBe(false)
    if (reply.kind !== 'done' || !reply.result.undo) throw new Error('It cannot be taken back.')
    const { tool, args } = reply.result.undo
    const undo = await approvedPermit(gateway, link, { tool, args: JSON.parse(args) })
    expect(await link.execute(undo)).toMatchObject({ kind: 'done', result: { ok: true } })
    expect(inShared('a.txt')).toBe('one')
  })

  it('gives the first answer to a permit that comes again, also over another connection', async () => {
    const link = await connected()
    const permit = await approvedPermit(gateway, link, write)
    const first = await link.execute(permit)
    writeFileSync(join(place.shared, 'a.txt'), 'three')
    expect(await link.execute(permit)).toEqual(first)
    const next = gateway.connection()
    link.drop()
    const again = await next
    tellWorld(gateway, again)
    expect(await again.execute(permit)).toEqual(first)
    expect(inShared('a.txt')).toBe('three')
  })

  it('ends what it began when the connection is lost, and tells it when it is asked again', async () => {
    const link = await connected()
    const permit = await approvedPermit(gateway, link, run(['/usr/bin/sleep', '1']))
    link.send({ type: 'execute', id: 99, permits: [permit] })
    const next = gateway.connection()
    link.drop()
    const again = await next
    tellWorld(gateway, again)
    expect(await again.execute(permit)).toMatchObject({ kind: 'done', result: { ok: true } })
  })
})

describe('a gateway that was taken over', () => {
  it('cannot have anything above T2 run with its own key', async () => {
    const link = await connected()
    const wishes = [
      write,
      run(['/usr/bin/touch', 'b.txt']),
      { tool: 'device_delete_file', args: { node: 'laptop', path: 'a.txt' } },
    ]
    for (const wish of wishes) {
      const reply = await link.resolve(wish.tool, wish.args)
      if (reply.kind !== 'resolved') throw new Error(reply.reason)
      const honest = permitFor(gateway, { ...wish, sealBy: 'gateway' }, reply.resolution)
      expect(await link.execute(honest)).toMatchObject({
        kind: 'refused',
        reason: expect.stringMatching(/seal of a device/),
      })
      const lowered = permitFor(gateway, { ...wish, tier: 2, sealBy: 'gateway' }, reply.resolution)
      expect(await link.execute(lowered)).toMatchObject({
        kind: 'refused',
        reason: expect.stringMatching(/too low/),
      })
      const foreign = permitFor(gateway, { ...wish, key: generateKey() }, reply.resolution)
      expect(await link.execute(foreign)).toMatchObject({
        kind: 'refused',
        reason: expect.stringMatching(/does not fit/),
      })
    }
    expect(readdirSync(place.shared)).toEqual(['a.txt'])
    expect(inShared('a.txt')).toBe('one')
  })

  it('can have what it may seal run, and no more often than once', async () => {
    const link = await connected()
    const permit = await approvedPermit(gateway, link, { ...read, sealBy: 'gateway' })
    expect(permit.subject.tier).toBe(2)
    expect(await link.execute(permit)).toMatchObject({ kind: 'done' })
    expect(await link.execute({ ...permit, subject: { ...permit.subject, key: 'other' } })).toMatchObject({
      kind: 'refused',
    })
  })

  it.each([
    ['another executor', { executor: idFrom('exe', '0'.repeat(32)) }],
    ['another key', { key: '0'.repeat(64) }],
  ])('cannot use a permit that was made for %s', async (_, audience) => {
    const link = await connected()
    const change = (subject: Parameters<NonNullable<Parameters<typeof permitFor>[1]['change']>>[0]) => ({
      ...subject,
      audience: { ...subject.audience, ...audience },
    })
    const permit = await approvedPermit(gateway, link, { ...write, change })
    expect(await link.execute(permit)).toMatchObject({
      kind: 'refused',
      reason: expect.stringMatching(/another executor/),
    })
  })

  it('cannot appoint a device of its own', async () => {
    const link = await connected()
    const keys = generateKey()
    const at = new Date().toISOString()
    const { trust } = gateway.identity
    const device = idFrom('dev', '0'.repeat(32))
    const signed = gateway.sign({
      v: 1,
      kind: 'device',
      gateway: trust.gateway.id,
      at,
      device,
      key: keys.publicKey,
      name: 'phone',
      platform: '',
      reach: 3,
    })
    const forged = { ...signed, by: { ...signed.by, signature: Buffer.alloc(64).toString('base64') } }
    link.send({ type: 'statements', from: 1, lines: [JSON.stringify(forged)] })
    const permit = await approvedPermit(gateway, link, write)
    const seal = { ...permit.seal, device }
    expect(await link.execute({ ...permit, seal } as typeof permit)).toMatchObject({
      kind: 'refused',
      reason: expect.stringMatching(/unknown or revoked/),
    })
  })

  it('cannot learn by a look what programs are elsewhere, nor what is in them', async () => {
    const path = join(place.folder, 'tool')
    writeFileSync(path, '#!/bin/sh\n', { mode: 0o755 })
    const link = await connected()
    const look = (program: string) =>
      link.resolve('device_run_program', { node: 'laptop', argv: [program], uninspectable: true })
    for (const program of [path, `/usr/..${path}`, `/usr/bin/../..${path}`, `/usr/./..${path}`])
      expect((await look(program)).kind, program).not.toBe('resolved')
    expect((await look('/usr/bin/touch')).kind).toBe('resolved')
  })

  it('cannot have a program leave the folder', async () => {
    writeFileSync(join(place.folder, 'secret.txt'), 'secret')
    symlinkSync(join(place.folder, 'secret.txt'), join(place.shared, 'link.txt'))
    const link = await connected()
    for (const path of [join(place.folder, 'secret.txt'), 'link.txt', join(place.paths.folder, 'node.key')]) {
      const reply = await link.execute(await approvedPermit(gateway, link, run(['/usr/bin/cat', path])))
      expect(reply).toMatchObject({ kind: 'done', result: { ok: false } })
      expect(JSON.stringify(reply)).not.toContain('"secret')
    }
    const inside = await link.execute(await approvedPermit(gateway, link, run(['/usr/bin/cat', 'a.txt'])))
    expect(inside).toMatchObject({ kind: 'done', result: { ok: true } })
    const out = await approvedPermit(gateway, link, run(['/usr/bin/cp', 'a.txt', `${place.folder}/b.txt`]))
    expect(await link.execute(out)).toMatchObject({ result: { ok: false } })
    expect(existsSync(join(place.folder, 'b.txt'))).toBe(false)
  })

  it('cannot get at a file behind a link that leads out', async () => {
    mkdirSync(join(place.folder, 'private'))
    writeFileSync(join(place.folder, 'private', 'x.txt'), 'secret')
    symlinkSync(join(place.folder, 'private'), join(place.shared, 'door'))
    symlinkSync(join(place.shared, 'a.txt'), join(place.shared, 'inner.txt'))
    const link = await connected()
    for (const tool of ['device_read_file', 'device_write_file', 'device_delete_file']) {
      const args = {
        node: 'laptop',
        path: 'door/x.txt',
        ...(tool === 'device_write_file' ? { content: 'y' } : {}),
      }
      expect((await link.resolve(tool, args)).kind, tool).toBe('invalid')
    }
    expect(readFileSync(join(place.folder, 'private', 'x.txt'), 'utf8')).toBe('secret')
    // A change names the file that it really is at.
    const inner = { node: 'laptop', path: 'inner.txt', content: 'y' }
    expect((await link.resolve('device_write_file', inner)).kind).toBe('invalid')
  })

  it('cannot have a file changed that is another by now', async () => {
    const link = await connected()
    const permit = await approvedPermit(gateway, link, write)
    writeFileSync(join(place.shared, 'a.txt'), 'mine')
    expect(await link.execute(permit)).toMatchObject({
      kind: 'refused',
      reason: expect.stringMatching(/has changed since/),
    })
    expect(inShared('a.txt')).toBe('mine')
  })
})

describe('its owner', () => {
  it('narrows what the operator approved, also after that', async () => {
    const link = await connected()
    const permit = await approvedPermit(gateway, link, write)
    keepNodePolicy(place.paths.policy, { ...firstPolicy, writable: [] })
    expect(await link.execute(permit)).toMatchObject({
      kind: 'refused',
      reason: expect.stringMatching(/out of changes/),
    })
    keepNodePolicy(place.paths.policy, { ...firstPolicy, maxTier: 2 })
    expect(await link.execute(permit)).toMatchObject({
      kind: 'refused',
      reason: expect.stringMatching(/tier 2/),
    })
    writeFileSync(place.paths.policy, '{}')
    expect(await link.execute(permit)).toMatchObject({ kind: 'refused' })
    keepNodePolicy(place.paths.policy, firstPolicy)
    expect(await link.execute(permit)).toMatchObject({ kind: 'done' })
  })

  it('pauses it', async () => {
    const link = await connected()
    const permit = await approvedPermit(gateway, link, read)
    setPaused(place.paths, true)
    expect(await link.execute(permit)).toMatchObject({
      kind: 'refused',
      reason: expect.stringMatching(/paused/),
    })
    expect(await link.resolve(read.tool, read.args)).toMatchObject({
      kind: 'unavailable',
      reason: 'Its owner paused it.',
    })
    setPaused(place.paths, false)
    expect(await link.execute(permit)).toMatchObject({ kind: 'done' })
  })

  it('has it forget a device, whose seals count no more', async () => {
    const link = await connected()
    const permit = await approvedPermit(gateway, link, write)
    forgetDevice(place.paths, gateway.identity.device.id)
    expect(await link.execute(permit)).toMatchObject({
      kind: 'refused',
      reason: expect.stringMatching(/unknown or revoked/),
    })
    expect(inShared('a.txt')).toBe('one')
  })

  it('is obeyed when it was revoked', async () => {
    const link = await connected()
    const permit = await approvedPermit(gateway, link, read)
    const gatewayId = gateway.identity.trust.gateway.id
    const [resource] = permit.subject.resources
    if (resource?.type !== 'node') throw new Error('It is for no node.')
    gateway.sign({
      v: 1,
      kind: 'revoke',
      gateway: gatewayId,
      at: new Date().toISOString(),
      target: resource.node,
    })
    link.send({ type: 'statements', from: 1, lines: [JSON.stringify(gateway.statements[1])] })
    expect(await link.execute(permit)).toMatchObject({
      kind: 'refused',
      reason: expect.stringMatching(/was revoked/),
    })
  })
})

describe('what a gateway says of devices', () => {
  const revocationOf = (target: string): string => {
    const { trust } = gateway.identity
    const at = new Date().toISOString()
    return JSON.stringify(gateway.sign({ v: 1, kind: 'revoke', gateway: trust.gateway.id, at, target }))
  }
  /** The operator's phone, which seals, and a permit that it sealed. */
  async function phone(link: ScriptedLink) {
    const keys = generateKey()
    const device = idFrom('dev', '1'.repeat(32))
    const { trust } = gateway.identity
    gateway.sign({
      v: 1,
      kind: 'device',
      gateway: trust.gateway.id,
      at: new Date().toISOString(),
      device,
      key: keys.publicKey,
      name: 'phone',
      platform: '',
      reach: 3,
    })
    link.send({ type: 'statements', from: 1, lines: [JSON.stringify(gateway.statements[1])] })
    return { device, keys }
  }
  const sealedBy = async (link: ScriptedLink, { device, keys }: Awaited<ReturnType<typeof phone>>) => {
    const permit = await approvedPermit(gateway, link, write)
    const decidedAt = new Date().toISOString()
    const signature = signText(keys.privateKey, sealText(digestOf(permit.subject), device, decidedAt))
    return { ...permit, seal: { by: 'device' as const, device, decidedAt, signature } }
  }

  it('takes no place from a revocation that comes later, whatever it made up before', async () => {
    const link = await connected()
    const stolen = await phone(link)
    const junk = Array.from({ length: 5 }, (_, at) => JSON.stringify({ nothing: at }))
    link.send({ type: 'statements', from: 2, lines: junk })
    expect(await link.execute(await sealedBy(link, stolen))).toMatchObject({ kind: 'done' })
    // The gateway is the operator's own again. It has lost what it made up, and the operator revoked the phone.
    const next = gateway.connection()
    link.drop()
    const again = await next
    const revocation = revocationOf(stolen.device)
    const lines = [...gateway.statements.slice(0, 2).map((signed) => JSON.stringify(signed)), revocation]
    again.send({
      type: 'statements',
      from: again.ready.advert.statements,
      lines: lines.slice(again.ready.advert.statements),
    })
    again.send({ type: 'world', policy: sha256Hex('policy one'), epoch: 1 })
    expect(await again.execute(await sealedBy(again, stolen))).toMatchObject({
      kind: 'refused',
      reason: expect.stringMatching(/unknown or revoked/),
    })
  })

  it('fills nothing with what nobody signed, or was said before', async () => {
    const link = await connected()
    await link.resolve(read.tool, read.args)
    const held = readFileSync(place.paths.statements, 'utf8')
    const junk = Array.from({ length: 150 }, (_, at) => 'x'.repeat(20_000) + String(at))
    link.send({ type: 'statements', from: 1, lines: junk })
    link.send({ type: 'statements', from: 151, lines: [JSON.stringify(gateway.statements[0])] })
    await approvedPermit(gateway, link, read)
    expect(readFileSync(place.paths.statements, 'utf8')).toBe(held)
  })
})

describe('a node that complains about the ledger', () => {
  it('runs nothing but what only looks, and says so each time it connects', async () => {
    const link = await connected()
    const permit = await approvedPermit(gateway, link, read)
    link.send({ type: 'checkpoint', note: 'no note', from: 0, proof: [] })
    const complaint = await link.next('complaint')
    expect(complaint).toMatchObject({ size: 0 })
    expect(await link.execute(permit)).toMatchObject({
      kind: 'refused',
      reason: expect.stringMatching(/complains about the ledger/),
    })
    expect((await link.resolve(read.tool, read.args)).kind).toBe('unavailable')
    const next = gateway.connection()
    link.drop()
    expect(await (await next).next('complaint')).toEqual(complaint)
  })
})

describe('the connection', () => {
  it('is refused where the gateway has another key', async () => {
    const pairing = await pairTestNode(gateway, place)
    gateway.linkKey = generateKey()
    node = await runTestNode(place, pairing)
    expect(await node.reached('waiting')).toContain('not the gateway that this computer was paired with')
    expect(node.states.map(({ state }) => state)).not.toContain('connected')
  })

  it.each([
    ['is of an unknown kind', '{"type":"run","command":"id"}'],
    ['has a field that nobody knows', '{"type":"cancel","nonces":[],"now":true}'],
    ['is no JSON', '{'],
    ['comes out of turn', '{"type":"welcome"}'],
    ['is binary', Buffer.from('{"type":"cancel","nonces":[]}')],
    ['is too large', JSON.stringify({ type: 'cancel', nonces: ['x'.repeat(largestNodeFrame)] })],
  ])('ends with a frame that %s', async (_, frame) => {
    const link = await connected()
    link.raw(frame)
    await link.closed
  })

  it('ends with statements that do not follow those that are here', async () => {
    const link = await connected()
    link.send({ type: 'statements', from: 5, lines: ['{}'] })
    await link.closed
  })

  it('comes back after it was lost, however often', async () => {
    let link = await connected()
    for (let round = 0; round < 3; round += 1) {
      const next = gateway.connection()
      link.drop()
      link = await next
      expect(link.ready.advert).toMatchObject({ statements: 0, platform: 'linux' })
    }
    tellWorld(gateway, link)
    expect(await link.execute(await approvedPermit(gateway, link, read))).toMatchObject({ kind: 'done' })
  })

  it('runs nothing before the gateway said what holds, and before the node is named', async () => {
    node = await runTestNode(place, await pairTestNode(gateway, place))
    const link = await gateway.connection()
    expect(await link.resolve(read.tool, read.args)).toMatchObject({
      kind: 'unavailable',
      reason: expect.stringMatching(/no statement/),
    })
    const lines = gateway.statements.map((signed) => JSON.stringify(signed))
    link.send({ type: 'statements', from: 0, lines })
    const permit = await approvedPermit(gateway, link, read)
    expect(await link.execute(permit)).toMatchObject({
      kind: 'refused',
      reason: expect.stringMatching(/not announced/),
    })
  })
})
