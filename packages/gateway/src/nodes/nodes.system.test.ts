import { randomUUIDv7 } from 'node:crypto'
import { idFrom, nodePairingText } from '@countersign/contract'
import { generateKey, signText } from '@countersign/contract/node'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { callTo, type NodeBench, openNodeBench, type PairedNode } from './testing/node-bench.ts'
import { doneAt, foundOn } from './testing/scripted-node.ts'

let bench: NodeBench
let wanted: ReturnType<typeof callTo>[]
let count = 0
/** A node with a name of its own. */
const pairNew = async (): Promise<PairedNode> => {
  count += 1
  return bench.pair(`desk ${count}`)
}

beforeAll(async () => {
  bench = await openNodeBench(
    ({ messages }) => {
      const isAnswered = messages.at(-1)?.role === 'tool'
      return isAnswered ? { text: 'Done.' } : { calls: wanted }
    },
    { limits: { gate: { proofMs: 2_000 }, calls: { graceMs: 100 } }, checkpointEveryMs: 20 },
  )
})
afterAll(() => bench.close())
beforeEach(() => {
  wanted = []
})

const calls = async (run: Parameters<NodeBench['detail']>[0]) => (await bench.detail(run)).calls

describe('a new node', () => {
  it('asks with the key that it holds, waits, and is told what was signed of it', async () => {
    const asked = await bench.ask('kitchen')
    expect(await bench.state(asked.id)).toEqual({ state: 'waiting', signed: null })
    const [waiting] = await bench.client().nodePairingRequests()
    expect(waiting).toMatchObject({ name: 'kitchen', key: asked.keys.publicKey, node: asked.node })
    const signed = bench.signed(bench.nodeStatement(asked, asked.keys.publicKey, 'kitchen'))
    await bench.client().stateDevice(signed)
    expect(await bench.state(asked.id)).toEqual({ state: 'approved', signed })
    expect(await bench.client().nodePairingRequests()).toEqual([])
    expect((await bench.client().nodes()).nodes).toMatchObject([{ name: 'kitchen', online: false }])
    expect(await bench.entries('node.requested')).toHaveLength(1)
    expect(await bench.entries('node.added')).toHaveLength(1)
  })

  it('is refused where it does not hold the key, or bound another device as the one to believe', async () => {
    const { body, keys } = await bench.ask('garage')
    const other = generateKey()
    await expect(post({ ...body, key: other.publicKey })).rejects.toThrow('not signed with its own key')
    const bound = { gateway: bench.identity.trust.gateway.key, root: other.publicKey, node: keys.publicKey }
    const signature = signText(keys.privateKey, nodePairingText(bound, body.nonce))
    await expect(post({ ...body, signature })).rejects.toThrow('not signed with its own key')
  })

  it('is let in by the statement of nobody but the host', async () => {
    const asked = await bench.ask('attic')
    const own = bench.nodeStatement(asked, asked.keys.publicKey, 'attic')
    const forged = { ...bench.signed(own), by: { device: bench.identity.device.id, signature: 'AAAA' } }
    await expect(bench.client().stateDevice(forged)).rejects.toThrow()
    expect(await bench.state(asked.id)).toMatchObject({ state: 'waiting' })
    const refused = await bench.client().refuseNodePairing(asked.id)
    expect(refused.ok).toBe(true)
    expect(await bench.state(asked.id)).toMatchObject({ state: 'refused' })
  })

  async function post(body: unknown): Promise<void> {
    const response = await fetch(`${bench.url()}/v1/nodes/pairing/requests`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(await response.text())
  }
})

describe('the connection of a node', () => {
  it('is told whom to believe and what holds before anything else', async () => {
    const paired = await pairNew()
    const node = await bench.online(paired)
    const order = node.heard.map(({ type }) => type)
    expect(order.slice(0, 4)).toEqual(['challenge', 'welcome', 'statements', 'world'])
    const { from, lines } = await node.hears('statements')
    expect(from).toBe(0)
    expect(lines.some((line) => line.includes(paired.node.key))).toBe(true)
    // What is stated later follows.
    const later = await pairNew()
    const more = await node.hears('statements', (frame) => frame.from > 0)
    expect(more.lines.join()).toContain(later.node.key)
    await node.cut()
  })

  it('is refused to another key, to the unknown, and to whoever is not the executor it was paired with', async () => {
    const paired = await pairNew()
    const thief = await bench.connect({ ...paired, keys: generateKey() })
    expect((await thief.hears('refused')).reason).toContain('its key does not match')
    const unknown = await bench.connect({
      ...paired,
      node: { ...paired.node, id: idFrom('node', randomUUIDv7()) },
    })
    expect((await unknown.hears('refused')).reason).toContain('not paired')
    const { executor } = (await pairNew()).node
    const other = await bench.connect(paired, { advert: { executor } })
    expect((await other.hears('refused')).reason).toContain('executor')
    expect((await bench.view(paired)).online).toBe(false)
  })

  it('is one: the newest takes the place of the one before', async () => {
    const paired = await pairNew()
    const first = await bench.online(paired)
    const second = await bench.online(paired)
    expect(await first.closed).toContain('connected again')
    wanted = [callTo(paired.node.name)]
    await bench.settled(await bench.say('look'))
    expect([first.permits.length, second.permits.length]).toEqual([0, 1])
    await second.cut()
  })

  it('tells what the node can do, as it is now', async () => {
    const paired = await pairNew()
    const node = await bench.online(paired)
    expect((await bench.view(paired)).advert?.capabilities).toMatchObject([{ state: 'ready' }])
    const denied = { capability: 'screen' as const, state: 'denied' as const, reason: 'why', fix: 'how' }
    node.say({ type: 'capabilities', capabilities: [denied] })
    await bench.until(async () => (await bench.view(paired)).advert?.capabilities[0]?.state === 'denied')
    await node.cut()
    await bench.until(async () => !(await bench.view(paired)).online)
  })

  it('ends where the node is not understood', async () => {
    const paired = await pairNew()
    const node = await bench.online(paired)
    node.say({ type: 'ready', advert: {} } as never)
    expect(await node.closed).toContain('not understood')
  })
})

describe('a call on a node', () => {
  it('is looked at there, runs there by a permit of its own, and nowhere else', async () => {
    const paired = await pairNew()
    const node = await bench.online(paired)
    wanted = [callTo(paired.node.name)]
    const run = await bench.say('look there')
    await bench.settled(run)
    expect(await calls(run)).toMatchObject([{ tool: 'device_look', outcome: 'ok' }])
    expect(node.permits).toMatchObject([
      { subject: { audience: { executor: paired.node.executor } }, seal: { by: 'gateway' } },
    ])
    expect(bench.here).toEqual([])
    await node.cut()
  })

  it('above tier 2 runs with the seal of the device that approved it', async () => {
    const paired = await pairNew()
    const node = await bench.online(paired)
    wanted = [callTo(paired.node.name, 'device_change')]
    const run = await bench.say('change it')
    await bench.settled(run, 'parked')
    const subject = await bench.approve()
    expect(subject.resources).toMatchObject([{ type: 'node', name: paired.node.name }])
    await bench.settled(run)
    expect(node.permits).toMatchObject([{ seal: { by: 'device', device: bench.identity.device.id } }])
    await node.cut()
  })

  it('is refused when the node speaks for another one, or is not there', async () => {
    const [liar, honest] = [await pairNew(), await pairNew()]
    const other = await bench.online(honest)
    const node = await bench.online(liar, { look: () => foundOn(honest.node) })
    wanted = [callTo(liar.node.name)]
    const run = await bench.say('look')
    await bench.settled(run)
    expect(await calls(run)).toMatchObject([{ outcome: 'invalid' }])
    await other.cut()
    await bench.until(async () => !(await bench.view(honest)).online)
    wanted = [callTo(honest.node.name)]
    const away = await bench.say('look')
    await bench.settled(away)
    expect(await calls(away)).toMatchObject([{ outcome: 'invalid' }])
    expect([...node.permits, ...other.permits]).toEqual([])
    await node.cut()
  })

  it('that lost its connection is sent again, and its answer counts once', async () => {
    const paired = await pairNew()
    const first = await bench.online(paired, { run: () => undefined })
    wanted = [callTo(paired.node.name)]
    const run = await bench.say('look')
    await first.hears('execute')
    await first.cut()
    const second = await bench.online(paired, { run: () => doneAt('found later') })
    await bench.settled(run)
    expect(second.permits).toEqual(first.permits)
    expect(await calls(run)).toMatchObject([{ outcome: 'ok' }])
    expect(await bench.entries('effect.outcome')).toSatisfy(
      (entries: { run?: string }[]) => entries.filter((entry) => entry.run === run).length === 1,
    )
    await second.cut()
  })

  it('goes on after the gateway was started again', async () => {
    const paired = await pairNew()
    const first = await bench.online(paired, { run: () => undefined })
    wanted = [callTo(paired.node.name)]
    const run = await bench.say('look')
    await first.hears('execute')
    await bench.reopen()
    const second = await bench.online(paired)
    await bench.settled(run)
    expect(second.permits).toEqual(first.permits)
    expect(await calls(run)).toMatchObject([{ outcome: 'ok' }])
    await second.cut()
  })
})

describe('what the operator takes away', () => {
  it('a node that was revoked is out at once, for ever, and its call is unknown', async () => {
    const paired = await pairNew()
    const node = await bench.online(paired, { run: () => undefined })
    wanted = [callTo(paired.node.name, 'device_change')]
    const run = await bench.say('change it')
    await bench.settled(run, 'parked')
    await bench.approve()
    await node.hears('execute')
    await bench.revoke(paired)
    expect((await node.hears('refused')).reason).toContain('revoked')
    await node.closed
    // Whether it was done is for the operator to say.
    await bench.until(async () => (await bench.detail(run)).run.parkedOn === 'question')
    expect(await calls(run)).toMatchObject([{ outcome: 'unknown' }])
    // It was told of it by the statement too.
    expect(
      node.heard.some((frame) => frame.type === 'statements' && frame.lines.join().includes('revoke')),
    ).toBe(true)
    const again = await bench.connect(paired)
    expect((await again.hears('refused')).reason).toContain('revoked')
    expect(await bench.view(paired)).toMatchObject({ online: false, revokedAt: expect.any(String) })
  })

  it('what is switched off is refused, and comes back', async () => {
    const paired = await pairNew()
    const node = await bench.online(paired)
    await bench.client().limitNode(paired.node.id, { off: ['files'] })
    expect(await bench.view(paired)).toMatchObject({ off: ['files'] })
    wanted = [callTo(paired.node.name)]
    const refused = await bench.say('look')
    await bench.settled(refused)
    expect(await calls(refused)).toMatchObject([{ outcome: 'invalid' }])
    expect(node.permits).toEqual([])
    await bench.client().limitNode(paired.node.id, { off: [] })
    const run = await bench.say('look')
    await bench.settled(run)
    expect(node.permits).toHaveLength(1)
    expect(await bench.entries('node.limited')).toHaveLength(2)
    await node.cut()
  })
})

describe('what a node says against the ledger', () => {
  it('is kept, recorded once, and told', async () => {
    const paired = await pairNew()
    const node = await bench.online(paired)
    node.say({ type: 'complaint', size: 7, reason: 'it is another history' })
    node.say({ type: 'complaint', size: 7, reason: 'it is another history' })
    await bench.until(async () => (await bench.view(paired)).complaint !== null)
    expect((await bench.view(paired)).complaint).toBe('it is another history')
    expect(await bench.entries('node.complained')).toHaveLength(1)
    await node.cut()
  })
})
