import { describe, expect, it } from 'vitest'
import { createDeliveries, type Delivery, mostUnderWay } from './deliveries.ts'

function begin(state: string | null = null) {
  let kept = state
  let count = 0
  let isRefusing = false
  return {
    state: () => kept,
    refuse: (yes: boolean) => {
      isRefusing = yes
    },
    ...createDeliveries({
      state,
      keep: (next) => {
        if (isRefusing) return Promise.reject(new Error('The database is away.'))
        kept = next
        return Promise.resolve()
      },
      clock: () => new Date(1_800_000_000_000 + (count += 1)),
      uuid: () => `${state === null ? 'first' : 'second'}-${count}`,
    }),
  }
}

const delivery = (packet: number | null, text: string, isAgain = false): Delivery => ({
  topic: 'countersign/ask',
  payload: new TextEncoder().encode(text),
  packet,
  isAgain,
})

describe('a delivery of the broker', () => {
  it('is a new question at first, whatever it says', async () => {
    const { knownAs } = begin()
    const one = await knownAs(delivery(1, 'Hi'))
    const two = await knownAs(delivery(2, 'Hi'))
    // The packet id is free again once it was acknowledged.
    const three = await knownAs(delivery(1, 'Hi'))
    expect(new Set([one.id, two.id, three.id]).size).toBe(3)
  })

  it('is the same question when it comes again, also to another process', async () => {
    const before = begin()
    const one = await before.knownAs(delivery(7, 'Hi'))
    expect(await before.knownAs(delivery(7, 'Hi', true))).toEqual(one)
    const after = begin(before.state())
    expect(await after.knownAs(delivery(7, 'Hi', true))).toEqual(one)
  })

  it('is a new question when it comes again and was never seen', async () => {
    const before = begin()
    const one = await before.knownAs(delivery(7, 'Hi'))
    expect((await before.knownAs(delivery(8, 'Hi', true))).id).not.toBe(one.id)
    expect((await before.knownAs(delivery(7, 'Hello', true))).id).not.toBe(one.id)
    const elsewhere = { ...delivery(7, 'Hi', true), topic: 'countersign/ask/kitchen' }
    expect((await before.knownAs(elsewhere)).id).not.toBe(one.id)
  })

  it('is a new question when the broker has forgotten us', async () => {
    const { knownAs, forget } = begin()
    const one = await knownAs(delivery(1, 'Hi'))
    forget()
    expect((await knownAs(delivery(1, 'Hi', true))).id).not.toBe(one.id)
  })

  it('is kept before it is known, and is the same when it could not be kept at first', async () => {
    const parts = begin()
    parts.refuse(true)
    await expect(parts.knownAs(delivery(1, 'Hi'))).rejects.toThrow('away')
    parts.refuse(false)
    const one = await parts.knownAs(delivery(1, 'Hi'))
    expect(parts.state()).toContain(one.id)
  })

  it('is kept no longer than it can come again', async () => {
    const { knownAs, state } = begin()
    for (let packet = 1; packet <= 200; packet += 1) await knownAs(delivery(packet, `text ${packet}`))
    expect(JSON.parse(state() ?? '')).toHaveLength(mostUnderWay)
    expect((state() ?? '').length).toBeLessThan(10_000)
  })

  it('lives on where what was kept cannot be read', async () => {
    for (const state of ['', '{', '{}', '[{"packet":"1"}]'])
      expect((await begin(state).knownAs(delivery(1, 'Hi', true))).id).toContain('mqtt-')
  })

  it('is not kept where the broker does not ask for an answer', async () => {
    const { knownAs, state } = begin()
    const one = await knownAs(delivery(null, 'Hi'))
    expect((await knownAs(delivery(null, 'Hi'))).id).not.toBe(one.id)
    expect(state()).toBeNull()
  })
})
