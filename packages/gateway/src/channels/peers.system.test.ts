import type { ChangePeer, PeerRole } from '@countersign/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { deliveriesIn } from './channel-views.ts'
import { changePeer, peersIn } from './peers.ts'
import { channelDb } from './tables.ts'
import { type ChannelBench, openChannelBench } from './testing/channel-bench.ts'

let bench: ChannelBench
let channel: string
beforeAll(async () => {
  bench = await openChannelBench()
})
afterAll(() => bench.close())
beforeEach(() => {
  channel = bench.addChannel()
})

const minute = 60_000
const desk = { kind: 'operator', id: 'desk' } as const
const change = (peer: string, kind: ChangePeer['change']) =>
  bench.records.change(bench.operator, (tx) => changePeer(tx, { channel, peer, change: kind }, desk))
const notNow = 'Nobody who asks now was shown this code.'
async function shown(peer: string): Promise<string> {
  await bench.say(channel, peer, 'Hello?')
  return bench.codeOf(channel, peer)
}

describe('a code', () => {
  it('lets in whoever was shown it, with their limits, and is then worth nothing', async () => {
    const code = await shown('ann')
    expect(await bench.admit(code, 'trusted', 3, { dailyUsd: 2 })).toMatchObject({
      channel,
      peer: 'ann',
      state: 'paired',
      role: 'trusted',
      limits: { dailyUsd: 2, tier: 2 },
    })
    expect(await bench.peer(channel, 'ann')).toMatchObject({
      code: null,
      chat: 'chat-ann',
      paired_by: 'desk',
    })
    await expect(bench.admit(code)).rejects.toThrow(notNow)
  })

  it('holds for an hour', async () => {
    const code = await shown('ann')
    bench.pass(60 * minute + 1)
    await expect(bench.admit(code)).rejects.toThrow(notNow)
    expect(await bench.peer(channel, 'ann')).toMatchObject({ state: 'asking', role: null })
    const other = await shown('bob')
    bench.pass(59 * minute)
    expect(await bench.admit(other)).toMatchObject({ peer: 'bob' })
  })

  it('lets in once, whoever uses it at the same time', async () => {
    const code = await shown('ann')
    const all = await Promise.allSettled(Array.from({ length: 50 }, () => bench.admit(code)))
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const entries = await bench.test.kernel.readOnly(bench.operator, (db) =>
      db.selectFrom('ledger_entries').select('body').where('type', '=', 'peer.admitted').execute(),
    )
    expect(entries.filter(({ body }) => String(body).includes(`"${channel}"`))).toHaveLength(1)
  })

  it('is void when they are blocked or removed before it is used', async () => {
    for (const kind of ['block', 'remove'] as const) {
      const code = await shown(`${kind}ed`)
      await change(`${kind}ed`, { kind })
      await expect(bench.admit(code)).rejects.toThrow(notNow)
    }
  })

  it('is another one for everybody', async () => {
    const codes: string[] = []
    for (let at = 0; at < 30; at += 1) {
      channel = bench.addChannel()
      codes.push(await shown('ann'))
    }
    expect(new Set(codes).size).toBe(codes.length)
    for (const code of codes) expect(code).toMatch(/^[A-HJKMNP-Z2-9]{8}$/)
  })
})

describe('people who ask', () => {
  it('are so many at most at once, however many write at the same time', async () => {
    const people = Array.from({ length: 60 }, (_, at) => `p${at}`)
    for (const person of people) await bench.intake.take(channel, bench.event(person, 'Hello?'))
    await bench.intake.work(bench.channel(channel))
    expect(await bench.letters(channel)).toHaveLength(20)
    bench.pass(61 * minute)
    for (const person of people) await bench.intake.take(channel, bench.event(person, 'Hello?'))
    await bench.intake.work(bench.channel(channel))
    expect(await bench.letters(channel)).toHaveLength(40)
  })

  it('give way to others, the first of them first, but not as soon as they were shown a code', async () => {
    const flood = Array.from({ length: 20 }, (_, at) => `p${String(at).padStart(2, '0')}`)
    for (const person of flood) await bench.say(channel, person, 'Hello?')
    await bench.say(channel, 'ann', 'Hello?')
    expect(await bench.peer(channel, 'ann')).toBeUndefined()
    bench.pass(15 * minute)
    const codes = await Promise.all(flood.slice(0, 2).map((person) => bench.codeOf(channel, person)))
    // Being turned away was no answer, so asking again is not too soon.
    const code = await shown('ann')
    await expect(bench.admit(codes[0] ?? '')).rejects.toThrow('Nobody who asks now')
    for (const person of ['q1', 'q2']) await bench.say(channel, person, 'Hello?')
    expect(await bench.admit(code)).toMatchObject({ peer: 'ann' })
    await expect(bench.admit(codes[1] ?? '')).rejects.toThrow('Nobody who asks now')
    // Who gave way is told nothing more today.
    const letters = (await bench.letters(channel)).length
    await bench.say(channel, 'p00', 'Hello?')
    expect(await bench.letters(channel)).toHaveLength(letters)
  })

  it('of one chat give way to each other alone', async () => {
    const first = await shown('ann')
    const chat = { id: 'crowd', kind: 'private', title: 'crowd' } as const
    for (let at = 0; at < 10; at += 1) {
      await bench.say(channel, `c${at}`, 'Hello?', { chat })
      bench.pass(5 * minute)
    }
    const { value } = await bench.records.change(bench.operator, ({ db }) =>
      channelDb(db)
        .selectFrom('channel_peers')
        .select('peer')
        .where('channel', '=', channel)
        .where('chat', '=', 'crowd')
        .where('code', 'is not', null)
        .execute(),
    )
    expect(value).toHaveLength(3)
    expect(await bench.admit(first)).toMatchObject({ peer: 'ann' })
  })

  it('do not keep those of another channel from asking', async () => {
    for (const person of ['a', 'b', 'c', 'd']) await bench.say(channel, person, 'Hello?')
    channel = bench.addChannel()
    expect(await shown('e')).toHaveLength(8)
  })

  it('are shown with a name that cannot deceive, and never with their code', async () => {
    const sender = { id: 'eve', name: `Mum\u202e\n\0${'x'.repeat(200)}`, proven: true, bot: false }
    await bench.say(channel, 'eve', 'Hello?', { sender })
    const { value } = await bench.records.change(bench.operator, (tx) =>
      peersIn(tx, { channel, peer: 'eve' }),
    )
    expect(value).toHaveLength(1)
    expect(value[0]?.name.length).toBeLessThanOrEqual(80)
    expect(value[0]?.name).not.toMatch(/[\u202e\n\0]/)
    const code = await bench.codeOf(channel, 'eve')
    expect(JSON.stringify(value)).not.toContain(code)
    const deliveries = await bench.records.read(bench.operator, (tx) => deliveriesIn(tx, channel))
    expect(deliveries.map(({ kind }) => kind)).toEqual(['pairing'])
    expect(JSON.stringify(deliveries)).not.toContain(code.slice(0, 4))
  })
})

describe('letting in', () => {
  it.each<[PeerRole, 0 | 2 | 3, boolean]>([
    ['guest', 0, false],
    ['guest', 2, true],
    ['guest', 3, true],
    ['trusted', 0, false],
    ['trusted', 2, true],
    ['operator', 0, false],
    ['operator', 2, false],
    ['operator', 3, true],
  ])('as %s by a device of reach %i: %s', async (role, reach, isLet) => {
    const code = await shown('ann')
    const admitted = bench.admit(code, role, reach)
    await (isLet
      ? expect(admitted).resolves.toMatchObject({ role })
      : expect(admitted).rejects.toThrow('This device may not let anybody in.'))
    // Nor is a device that may not told which codes there are.
    if (!isLet)
      await expect(bench.admit('AAAAAAAA', role, reach)).rejects.toThrow(
        'This device may not let anybody in.',
      )
  })

  it('as the operator is refused where the platform proves nothing, and the code still holds', async () => {
    channel = bench.addChannel({ manifest: { proves: 'nothing' } })
    const code = await shown('op')
    await expect(bench.admit(code, 'operator')).rejects.toThrow('This platform does not show who writes')
    expect(await bench.peer(channel, 'op')).toMatchObject({ state: 'asking', role: null })
    expect(await bench.admit(code, 'guest')).toMatchObject({ role: 'guest' })
  })
})

describe('somebody who was let in', () => {
  it('is limited further, and one limit leaves the others', async () => {
    await bench.letIn(channel, 'ann')
    await change('ann', { kind: 'limit', limits: { tier: 0, hours: { from: 8, to: 18 } } })
    const row = await bench.peer(channel, 'ann')
    expect(row?.limits).toMatchObject({ tier: 0, hours: { from: 8, to: 18 }, dailyUsd: 1 })
    await expect(change('nobody', { kind: 'block' })).rejects.toThrow('There is nobody nobody')
  })

  it('is sent nothing that waited when they are put out', async () => {
    for (const kind of ['block', 'remove'] as const) {
      const person = `${kind}ed`
      await bench.letIn(channel, person)
      await bench.deliver(channel)
      await bench.say(channel, person, '/help')
      await change(person, { kind })
      await bench.deliver(channel)
      expect(bench.sentTo(channel, `chat-${person}`)).toHaveLength(1)
    }
  })
})
