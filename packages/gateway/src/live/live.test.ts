import {
  type EventBody,
  emptyLive,
  fold,
  type GatewayEvent,
  idFrom,
  liveText,
  type OperatorId,
} from '@countersign/contract'
import type { Kernel } from '@countersign/kernel'
import { describe, expect, test } from 'vitest'
import { createLive } from './live.ts'

type Listener = Parameters<Kernel['stream']['listen']>[1]

const operator = idFrom('op', '1'.repeat(32))

function event(seq: number): GatewayEvent {
  const session = idFrom('ses', String(seq % 7).padStart(32, '0'))
  const body: EventBody = {
    type: 'input.admitted',
    session,
    input: idFrom('inp', String(seq).padStart(32, '0')),
    run: null,
    text: `Message ${seq}`,
    mode: 'auto',
  }
  return { seq, at: new Date(seq * 1_000).toISOString(), body }
}

/** A log of one operator that tells its listeners, unless it is told to keep quiet. */
function log() {
  const events: GatewayEvent[] = []
  const listeners = new Set<Listener>()
  const reads: number[] = []
  let failing = false
  return {
    reads,
    listeners,
    fail(now: boolean) {
      failing = now
    },
    append(count: number, quietly = false) {
      const more = Array.from({ length: count }, (_, at) => event(events.length + 1 + at))
      events.push(...more)
      if (!quietly) for (const listener of listeners) listener.events(more)
    },
    hashAt: (seq: number) => liveText(fold(emptyLive, events.slice(0, seq))),
    stream: {
      since: async (_: OperatorId, since: number, limit: number) => {
        reads.push(since)
        if (failing) throw new Error('the database is gone')
        return events.slice(since, since + limit)
      },
      head: async () => events.length,
      async listen(_: OperatorId, listener: Listener) {
        listeners.add(listener)
        return { after: events.length, stop: () => void listeners.delete(listener) }
      },
    },
  }
}

describe('the gateway’s own live state', () => {
  test('is folded from the log in pages once, and then follows the stream', async () => {
    const source = log()
    source.append(2_500)
    const live = createLive(source)
    expect(liveText(await live.now(operator))).toBe(source.hashAt(2_500))
    const before = source.reads.length
    source.append(30)
    expect(liveText(await live.now(operator))).toBe(source.hashAt(2_530))
    expect(source.reads).toHaveLength(before)
  })

  test('has what another process committed, also before the stream has brought it', async () => {
    const source = log()
    source.append(10)
    const live = createLive(source)
    await live.now(operator)
    source.append(5, true)
    expect((await live.now(operator)).seq).toBe(15)
  })

  test('has what was committed while it was being folded, once', async () => {
    const source = log()
    source.append(1_000)
    const live = createLive(source)
    const asking = live.now(operator)
    source.append(50)
    expect(liveText(await asking)).toBe(source.hashAt(1_050))
  })

  test('tells the state after a recent event, and refuses one that is long past or still to come', async () => {
    const source = log()
    const live = createLive(source)
    await live.now(operator)
    for (let batch = 0; batch < 130; batch += 1) source.append(100)
    for (const seq of [3_200, 3_201, 4_321, 12_801, 12_999, 13_000])
      expect(liveText(await live.at(operator, seq))).toBe(source.hashAt(seq))
    await expect(live.at(operator, 13_001)).rejects.toThrow('There is no event 13001 yet')
    const before = source.reads.length
    for (const seq of [0, 1, 3_199])
      await expect(live.at(operator, seq)).rejects.toMatchObject({
        code: 'expired',
        next: 'Ask for a number from 3200 on, or read the events.',
      })
    expect(source.reads).toHaveLength(before)
  })

  test('tries again after the log could not be read, and listens only once', async () => {
    const source = log()
    source.append(3)
    source.fail(true)
    const live = createLive(source)
    await expect(live.now(operator)).rejects.toThrow('the database is gone')
    source.fail(false)
    expect((await live.now(operator)).seq).toBe(3)
    expect(source.listeners.size).toBe(1)
    await live.close()
    expect(source.listeners.size).toBe(0)
  })
})
