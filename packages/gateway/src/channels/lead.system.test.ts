import { randomUUIDv7 } from 'node:crypto'
import type { OperatorId } from '@countersign/contract'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { createLead, type Lead } from './lead.ts'
import { channelDb } from './tables.ts'
import { type ChannelBench, openChannelBench } from './testing/channel-bench.ts'

let bench: ChannelBench
let operator: OperatorId
let now: number
let open: Lead[]
beforeAll(async () => {
  bench = await openChannelBench()
  operator = bench.operator
})
afterAll(() => bench.close())
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  now = Date.parse('2026-03-05T06:00:00Z')
  open = []
})
afterEach(async () => {
  for (const lead of open) await lead.close()
  await bench.records.change(operator, ({ db }) => channelDb(db).deleteFrom('channel_states').execute())
  vi.useRealTimers()
})

function gateway(slot: number, over: { readonly isAlone?: boolean; readonly isCutOff?: () => boolean } = {}) {
  const told: boolean[] = []
  const lead = createLead({
    records: {
      change: (of, work) =>
        over.isCutOff?.() ? Promise.reject(new Error('cut off')) : bench.records.change(of, work),
    },
    operator,
    uuid: randomUUIDv7,
    clock: () => new Date(now),
    slot,
    isAlone: () => Promise.resolve(over.isAlone ?? false),
    onProblem: () => undefined,
    changed: (leads) => told.push(leads),
  })
  open.push(lead)
  return { lead, told }
}

const holder = () =>
  bench.records.read(operator, ({ db }) =>
    channelDb(db)
      .selectFrom('channel_states')
      .select('state')
      .where('channel', '=', '*lead')
      .executeTakeFirst(),
  )
const slotOfHolder = async () => (JSON.parse((await holder())?.state ?? '{}') as { slot?: number }).slot
/** The leader says once more that it is there. */
async function tick(): Promise<void> {
  const before = (await holder())?.state
  now += 10_000
  vi.advanceTimersByTime(10_000)
  await vi.waitFor(async () => expect((await holder())?.state).not.toBe(before))
}

it('is one gateway’s of two that begin at once', async () => {
  const both = [gateway(1), gateway(2)]
  for (const { lead } of both) lead.begin()
  await vi.waitFor(() => expect(both.flatMap(({ told }) => told)).toEqual([true]))
  for (let count = 0; count < 3; count += 1) await tick()
  expect(both.flatMap(({ told }) => told)).toEqual([true])
})

it('goes to another when the first says nothing for long, and the first learns it', async () => {
  let isCutOff = false
  const first = gateway(1, { isCutOff: () => isCutOff })
  const second = gateway(2)
  first.lead.begin()
  await vi.waitFor(() => expect(first.told).toEqual([true]))
  second.lead.begin()
  isCutOff = true
  now += 31_000
  vi.advanceTimersByTime(10_000)
  await vi.waitFor(() => expect(second.told).toEqual([true]))
  await vi.waitFor(() => expect(first.told).toEqual([true, false]))
  isCutOff = false
  await tick()
  expect(first.told).toEqual([true, false])
  expect(await slotOfHolder()).toBe(2)
})

it('stays where it is while its holder may still be there', async () => {
  let isCutOff = false
  const first = gateway(1, { isCutOff: () => isCutOff })
  first.lead.begin()
  await vi.waitFor(() => expect(first.told).toEqual([true]))
  isCutOff = true
  const second = gateway(2)
  now += 29_000
  second.lead.begin()
  await second.lead.close()
  expect(second.told).toEqual([])
  expect(await slotOfHolder()).toBe(1)
  isCutOff = false
})

it('goes at once to whoever has the slot of the one before, or is alone', async () => {
  const killed = gateway(1)
  killed.lead.begin()
  await vi.waitFor(() => expect(killed.told).toEqual([true]))
  const again = gateway(1)
  again.lead.begin()
  await vi.waitFor(() => expect(again.told).toEqual([true]))
  const alone = gateway(3, { isAlone: true })
  alone.lead.begin()
  await vi.waitFor(() => expect(alone.told).toEqual([true]))
})

it('is given up at an end, and only one’s own', async () => {
  const first = gateway(1)
  first.lead.begin()
  await vi.waitFor(() => expect(first.told).toEqual([true]))
  // It stood still for so long that another took over.
  now += 31_000
  const second = gateway(2)
  second.lead.begin()
  await vi.waitFor(() => expect(second.told).toEqual([true]))
  await first.lead.close()
  expect(await slotOfHolder()).toBe(2)
  await second.lead.close()
  expect(await holder()).toBeUndefined()
})
