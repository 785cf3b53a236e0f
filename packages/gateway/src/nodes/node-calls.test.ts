import { randomUUIDv7 } from 'node:crypto'
import {
  type ExecutorReply,
  idFrom,
  type NodeCapability,
  type NodeId,
  operatorLabel,
  type Permit,
  permitLifetimeMs,
  type ResolveReply,
} from '@countersign/contract'
import { type BelievedNode, generateKey } from '@countersign/contract/node'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createNodeCalls, type NodeCalls, nodeCallLimits } from './node-calls.ts'
import {
  callOn,
  madeNode,
  madeNodeResource,
  madePermit,
  madeResolution,
  type RememberedLink,
  rememberedLink,
} from './testing/made-nodes.ts'

const operator = idFrom('op', randomUUIDv7())
let desk: BelievedNode
let laptop: BelievedNode
let believed: BelievedNode[]
let links: Map<NodeId, RememberedLink>
let off: NodeCapability[]
let calls: NodeCalls

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-08-01T12:00:00Z') })
  desk = madeNode('desk')
  laptop = madeNode('laptop')
  believed = [desk, laptop]
  links = new Map()
  off = []
  calls = createNodeCalls({
    believed: () => Promise.resolve(believed),
    linkOf: (node) => links.get(node),
    runsOnNode: (tool) => tool.startsWith('device_'),
    off: () => Promise.resolve(off),
    isAlarmed: () => Promise.resolve(false),
    clock: () => new Date(),
    onProblem: (problem) => {
      throw problem
    },
  })
})
afterEach(() => {
  calls.close()
  vi.useRealTimers()
})

function connect(node: BelievedNode): RememberedLink {
  const link = rememberedLink(node)
  links.set(node.id, link)
  calls.opened(link)
  return link
}

function disconnect(link: RememberedLink): void {
  links.delete(link.node)
  calls.closed(link)
}

const soon = () => vi.advanceTimersByTimeAsync(0)
const resolvedBy = (...resources: ReturnType<typeof madeNodeResource>[]): ResolveReply => ({
  kind: 'resolved',
  resolution: madeResolution(resources),
})

async function lookedAt(name: string, answer: (link: RememberedLink) => readonly ResolveReply[]) {
  const node = believed.find((each) => each.name === name)
  const link = node && links.get(node.id)
  const found = calls.resolve(operator, [callOn(name)])
  await soon()
  if (link) calls.take(link, { type: 'resolved', id: link.last('resolve').id, replies: [...answer(link)] })
  await soon()
  return (await found)[0]
}

describe('a call that a node looks at', () => {
  it('goes to the node that it names, and only its own words count', async () => {
    connect(desk)
    connect(laptop)
    const own = resolvedBy(madeNodeResource(desk))
    expect(await lookedAt('desk', () => [own])).toEqual(own)
    expect(links.get(laptop.id)?.sent).toEqual([])
    const strangers = [
      madeNodeResource(laptop),
      madeNodeResource(desk, { executor: laptop.executor }),
      madeNodeResource(desk, { node: laptop.id }),
      madeNodeResource(desk, { name: 'laptop' }),
      madeNodeResource(desk, { key: 'b'.repeat(64) }),
    ]
    for (const stranger of strangers) {
      expect(await lookedAt('desk', () => [resolvedBy(stranger)])).toMatchObject({ kind: 'invalid' })
      expect(await lookedAt('desk', () => [resolvedBy(madeNodeResource(desk), stranger)])).toMatchObject({
        kind: 'invalid',
      })
    }
    expect(await lookedAt('desk', () => [resolvedBy()])).toMatchObject({ kind: 'invalid' })
  })

  it('is not answered by another node, nor with more or fewer answers than were asked', async () => {
    const link = connect(desk)
    const other = connect(laptop)
    const found = calls.resolve(operator, [callOn('desk')])
    await soon()
    const { id } = link.last('resolve')
    calls.take(other, { type: 'resolved', id, replies: [resolvedBy(madeNodeResource(desk))] })
    await vi.advanceTimersByTimeAsync(nodeCallLimits.lookMs - 1)
    await vi.advanceTimersByTimeAsync(1)
    expect(await found).toMatchObject([{ kind: 'unavailable' }])
    expect(await lookedAt('desk', () => [])).toMatchObject({ kind: 'unavailable' })
    const own = resolvedBy(madeNodeResource(desk))
    expect(await lookedAt('desk', () => [own, own])).toMatchObject({ kind: 'unavailable' })
  })

  it('is not looked at when nobody is called so, is connected, or is named', async () => {
    expect(await lookedAt('phone', () => [])).toMatchObject({
      kind: 'invalid',
      reason: expect.stringContaining('desk, laptop'),
    })
    expect(await lookedAt('desk', () => [])).toMatchObject({
      kind: 'unavailable',
      reason: expect.stringContaining('not connected here'),
    })
    expect(await calls.resolve(operator, [{ tool: 'device_look', args: '{}' }])).toMatchObject([
      { kind: 'invalid' },
    ])
  })

  it('is told at once when the node goes away', async () => {
    const link = connect(desk)
    const found = calls.resolve(operator, [callOn('desk'), callOn('laptop')])
    await soon()
    disconnect(link)
    expect(await found).toMatchObject([{ kind: 'unavailable' }, { kind: 'unavailable' }])
  })

  it('is refused where the operator switched off what it needs', async () => {
    connect(desk)
    off = ['files']
    const own = resolvedBy(madeNodeResource(desk))
    expect(await lookedAt('desk', () => [own])).toMatchObject({
      kind: 'unavailable',
      reason: expect.stringContaining('switched files off'),
    })
    off = ['camera']
    expect(await lookedAt('desk', () => [own])).toEqual(own)
  })
})

const done = {
  kind: 'done' as const,
  startedAt: '2026-08-01T12:00:01.000Z',
  endedAt: '2026-08-01T12:00:02.000Z',
  result: { ok: true, text: 'done', summary: 'done', undo: null },
} satisfies ExecutorReply

function executed(permit: Permit, { again = false, signal = new AbortController().signal } = {}) {
  const replies: ExecutorReply[] = []
  const end = calls.execute(
    [permit],
    signal,
    (_index, reply) => replies.push(reply),
    () => again,
  )
  return { replies, end }
}

const answer = (link: RememberedLink, reply: ExecutorReply = done, index = 0) =>
  calls.take(link, { type: 'executed', id: link.last('execute').id, index, reply: reply as never })

describe('a permit for a node', () => {
  const permitNow = (node = desk) => madePermit(node, { decidedAt: new Date() })

  it('is sent to the node that it was made for, and its answer told', async () => {
    const link = connect(desk)
    const other = connect(laptop)
    const permit = permitNow()
    const { replies, end } = executed(permit)
    await soon()
    expect(link.last('execute').permits).toEqual([permit])
    expect(calls.busy(desk.id)).toBe(1)
    calls.take(other, { type: 'executed', id: link.last('execute').id, index: 0, reply: done as never })
    answer(link, done, 1)
    expect(replies).toEqual([])
    answer(link)
    await end
    expect(replies).toEqual([done])
    expect(calls.busy(desk.id)).toBe(0)
    expect(other.sent).toEqual([])
  })

  it('brings words back, and nothing that only this computer may say', async () => {
    const link = connect(desk)
    const undo = (tool: string, args: object) => ({ tool, args: JSON.stringify(args) })
    const told = async (result: object) => {
      const { replies, end } = executed(permitNow())
      await soon()
      answer(link, { ...done, startedAt: 'once', result: { ...done.result, ...result } } as never)
      await end
      return replies[0]
    }
    const claimed = {
      label: operatorLabel,
      calls: [undo('write_file', {})],
      next: undo('write_file', {}),
      reader: true,
      files: { found: [], changed: [] },
      pictures: [{ path: 'a.png' }],
    }
    expect(await told(claimed)).toEqual({ ...done, startedAt: '2026-08-01T12:00:00.000Z' })
    const own = undo('device_restore_file', { node: 'desk' })
    expect(await told({ undo: own })).toMatchObject({ result: { undo: own } })
    const others = [undo('device_restore_file', { node: 'laptop' }), undo('write_file', { node: 'desk' })]
    for (const other of others) expect(await told({ undo: other })).toMatchObject({ result: { undo: null } })
  })

  it('is sent again when the node is back, the same', async () => {
    const first = connect(desk)
    const permit = permitNow()
    const { replies, end } = executed(permit)
    await soon()
    disconnect(first)
    const second = connect(desk)
    await soon()
    expect(second.last('execute')).toEqual(first.last('execute'))
    answer(second)
    await end
    expect(replies).toEqual([done])
  })

  it('waits for a node that is away, and is refused when it was never sent', async () => {
    const { replies, end } = executed(permitNow())
    await vi.advanceTimersByTimeAsync(permitLifetimeMs - 1)
    expect(replies).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    await end
    expect(replies).toMatchObject([{ kind: 'refused' }])
    const link = connect(desk)
    await soon()
    expect(link.sent).toEqual([])
  })

  it('is unknown when it may have begun and nobody came back', async () => {
    const link = connect(desk)
    const { replies, end } = executed(permitNow())
    await soon()
    disconnect(link)
    await vi.advanceTimersByTimeAsync(permitLifetimeMs + nodeCallLimits.graceMs - 1)
    expect(replies).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    await end
    expect(replies).toMatchObject([{ kind: 'unknown' }])
  })

  it('is unknown, and not refused, when an earlier life may have sent it', async () => {
    const { replies, end } = executed(permitNow(), { again: true })
    await vi.advanceTimersByTimeAsync(permitLifetimeMs + nodeCallLimits.graceMs)
    await end
    expect(replies).toMatchObject([{ kind: 'unknown' }])
  })

  it('is waited for as long as it takes where it runs, also after its end and a short break', async () => {
    const link = connect(desk)
    const { replies, end } = executed(permitNow())
    await soon()
    await vi.advanceTimersByTimeAsync(2 * permitLifetimeMs)
    disconnect(link)
    await vi.advanceTimersByTimeAsync(nodeCallLimits.graceMs - 1)
    const back = connect(desk)
    await soon()
    await vi.advanceTimersByTimeAsync(permitLifetimeMs)
    expect(replies).toEqual([])
    answer(back)
    await end
    expect(replies).toEqual([done])
  })

  it('never reaches a node that is not believed any more, or by another key', async () => {
    const link = connect(desk)
    const permit = permitNow()
    believed = [laptop]
    const gone = executed(permit)
    believed = [{ ...desk, key: generateKey().publicKey }]
    const other = executed(permit)
    await soon()
    await Promise.all([gone.end, other.end])
    expect([...gone.replies, ...other.replies]).toMatchObject([{ kind: 'refused' }, { kind: 'refused' }])
    expect(link.sent).toEqual([])
  })

  it('never reaches a node for what is on another one', async () => {
    const link = connect(desk)
    const resources = [madeNodeResource(desk), madeNodeResource(laptop)]
    const { replies, end } = executed(madePermit(desk, { decidedAt: new Date(), resources }))
    await end
    expect(replies).toMatchObject([{ kind: 'refused' }])
    expect(link.sent).toEqual([])
  })

  it('is given up when its node is revoked: unknown where it had begun, else refused', async () => {
    const waits = executed(permitNow(laptop))
    connect(desk)
    const runs = executed(permitNow(desk))
    await soon()
    calls.forget(laptop.id)
    calls.forget(desk.id)
    await Promise.all([waits.end, runs.end])
    expect([...waits.replies, ...runs.replies]).toMatchObject([{ kind: 'refused' }, { kind: 'unknown' }])
  })

  it('is not sent any more where the operator switched off what it needs', async () => {
    const waits = executed(permitNow())
    await soon()
    off = ['files']
    const link = connect(desk)
    await waits.end
    expect(waits.replies).toMatchObject([{ kind: 'refused', reason: expect.stringContaining('files') }])
    expect(link.sent).toEqual([])
  })

  it('is cancelled there when its run stops, and never sent after that', async () => {
    const link = connect(desk)
    const permit = permitNow()
    const stop = new AbortController()
    const runs = executed(permit, { signal: stop.signal })
    const waits = executed(permitNow(laptop), { signal: stop.signal })
    await soon()
    stop.abort()
    await waits.end
    expect(waits.replies).toMatchObject([{ kind: 'refused' }])
    expect(link.last('cancel').nonces).toEqual([permit.subject.nonce])
    // The stop holds over a new connection too.
    disconnect(link)
    const back = connect(desk)
    await soon()
    expect(back.sent.map(({ type }) => type)).toEqual(['execute', 'cancel'])
    answer(back)
    await runs.end
  })

  it('that is too large for the connection is refused', async () => {
    const link = connect(desk)
    link.went = 'too large'
    const { replies, end } = executed(permitNow())
    await end
    expect(replies).toMatchObject([{ kind: 'refused' }])
  })
})
