import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { changePeer } from './peers.ts'
import { type ChannelBench, openChannelBench } from './testing/channel-bench.ts'

const dollar = 1_000_000_000
let bench: ChannelBench
let channel: string
beforeAll(async () => {
  // Each turn costs 0.4 dollars and may cost 0.5; nobody is ever done.
  bench = await openChannelBench({
    replies: () => ({
      text: 'On it.',
      calls: [{ name: 'look', args: { at: crypto.randomUUID() } }],
      money: { worst: 0.5 * dollar, cost: 0.4 * dollar },
    }),
  })
})
afterAll(() => bench.close())
beforeEach(() => {
  channel = bench.addChannel()
})

/** What the runs of somebody cost, and how they ended. */
async function ends(peer: string) {
  await bench.quiet()
  return bench.test.kernel.readOnly(bench.operator, async (db) => {
    const runs = await db
      .selectFrom('runs')
      .innerJoin('inputs', 'inputs.id', 'runs.input_id')
      .select(['runs.id', 'runs.reason', 'inputs.requester'])
      .orderBy('runs.id')
      .execute()
    const own = runs.filter(({ requester }) => requester.id === `${channel}/${peer}`)
    const calls = await db.selectFrom('model_calls').select(['run_id', 'cost']).execute()
    const ids = own.map(({ id }) => id)
    const cost = calls.reduce(
      (sum, call) => sum + (ids.includes(call.run_id as never) ? Number(call.cost) : 0),
      0,
    )
    return { reasons: own.map(({ reason }) => reason), usd: cost / dollar }
  })
}

it('ends where the next call could go beyond what somebody may spend in a day', async () => {
  await bench.letIn(channel, 'ann', 'trusted', { dailyUsd: 1 })
  await bench.say(channel, 'ann', 'Look at everything.')
  expect(await ends('ann')).toEqual({ reasons: ['budget'], usd: 0.8 })
})

it('is spent once by all that somebody asked for at the same time', async () => {
  await bench.letIn(channel, 'ann', 'trusted', { dailyUsd: 1 })
  for (const thread of ['t1', 't2', 't3', 't4']) await bench.say(channel, 'ann', 'Look.', { thread })
  const { reasons, usd } = await ends('ann')
  expect(reasons).toEqual(['budget', 'budget', 'budget', 'budget'])
  expect(usd).toBeLessThanOrEqual(1)
})

it('is nothing any more for whoever was put out', async () => {
  await bench.letIn(channel, 'ann', 'trusted', { dailyUsd: 1_000 })
  await bench.say(channel, 'ann', 'Look at everything.')
  const desk = { kind: 'operator', id: 'desk' } as const
  await bench.records.change(bench.operator, (tx) =>
    changePeer(tx, { channel, peer: 'ann', change: { kind: 'block' } }, desk),
  )
  expect((await ends('ann')).reasons).toEqual(['budget'])
})
