import { idFrom, type PeerLimits, type PeerRole, type Tier } from '@countersign/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { peerLimits } from './peer-limits.ts'
import { changePeer } from './peers.ts'
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

interface AskedCall {
  readonly tool?: string
  readonly group?: string
  readonly tier?: Tier
  readonly kind?: 'peer' | 'operator' | 'schedule'
}

/** Why it is refused; undefined where policy may say. */
async function refused(peer: string, call: AskedCall = {}): Promise<string | undefined> {
  const { tool = 'look', group = 'core', tier = 0, kind = 'peer' } = call
  const { value } = await bench.records.change(bench.operator, (tx) => {
    const facts = bench.test.tools.find('look')
    if (!facts) throw new Error('there is no tool')
    return Promise.resolve(
      peerLimits().before?.(tx, {
        id: idFrom('call', '0'.repeat(32)),
        tool: { ...facts, name: tool, group },
        args: '{}',
        requester: { kind, id: `${channel}/${peer}` },
        again: false,
        run: {
          id: idFrom('run', '0'.repeat(32)),
          session: idFrom('ses', '0'.repeat(32)),
          agent: 'reception',
          goal: null,
          schedule: null,
          unattended: false,
        },
        tier,
        effects: [],
        resources: [],
      }),
    )
  })
  return typeof value === 'object' ? value.instead : value
}
const letIn = (peer: string, role: PeerRole, limits: Partial<PeerLimits> = {}) =>
  bench.letIn(channel, peer, role, limits)
const change = (peer: string, kind: 'block' | 'remove') =>
  bench.records.change(bench.operator, (tx) =>
    changePeer(tx, { channel, peer, change: { kind } }, { kind: 'operator', id: 'desk' }),
  )

const gone = 'Whoever asked for this is no longer let in.'
const kept = 'This looks at what the operator keeps, and a guest asks.'

describe('a call that a person of a chat asks for', () => {
  it('is nothing that a guest may see of the operator’s, unless the tool is on their list', async () => {
    await letIn('guest', 'guest')
    expect(await refused('guest')).toBeUndefined()
    expect(await refused('guest', { group: 'weather' })).toBeUndefined()
    expect(await refused('guest', { group: 'email' })).toBe(kept)
    expect(await refused('guest', { group: 'a group of tomorrow' })).toBe(kept)
    await letIn('listed', 'guest', { tools: ['read_mail'] })
    expect(await refused('listed', { tool: 'read_mail', group: 'email' })).toBeUndefined()
    expect(await refused('listed', { tool: 'send_mail', group: 'email' })).toContain('may not have this tool')
    expect(await refused('listed')).toContain('may not have this tool')
  })

  it('may be more for whoever is trusted, up to their tier', async () => {
    await letIn('ann', 'trusted', { tier: 1 })
    expect(await refused('ann', { group: 'email', tier: 1 })).toBeUndefined()
    expect(await refused('ann', { group: 'email', tier: 2 })).toBe(
      'Whoever asks may ask for nothing above T1.',
    )
    await letIn('none', 'trusted', { tools: [] })
    expect(await refused('none')).toContain('may not have this tool')
  })

  it.each(['block', 'remove'] as const)('is nothing any more when they were put out: %s', async (kind) => {
    await letIn('ann', 'trusted')
    await change('ann', kind)
    expect(await refused('ann')).toBe(gone)
  })

  it('is nothing for whoever was never let in, asks, or is of another channel', async () => {
    expect(await refused('nobody')).toBe(gone)
    await bench.say(channel, 'eve', 'Hello?')
    expect(await refused('eve')).toBe(gone)
    await letIn('ann', 'trusted')
    channel = bench.addChannel()
    expect(await refused('ann')).toBe(gone)
  })

  it('is told apart by the whole id, whatever stands in it', async () => {
    await letIn('a/b', 'trusted')
    expect(await refused('a/b', { group: 'email' })).toBeUndefined()
    expect(await refused('a')).toBe(gone)
    expect(await refused('a/b/')).toBe(gone)
  })

  it('of the operator or a schedule is not looked at', async () => {
    expect(await refused('op', { kind: 'operator', group: 'email', tier: 3 })).toBeUndefined()
    expect(await refused('op', { kind: 'schedule', group: 'email', tier: 3 })).toBeUndefined()
  })
})
