import type { CallId, Requester, RunId, ToolCatalogue } from '@countersign/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { lockFreeSpace } from '../approvals/inbox.ts'
import { type DispatchBench, openDispatchBench } from '../testing/dispatch-bench.ts'
import { catalogue } from '../testing/test-kernel.ts'
import { authorize } from './authorize.ts'
import { type CountedCall, takeRates } from './call-rates.ts'
import type { CallInReview } from './middleware.ts'

let bench: DispatchBench
beforeAll(async () => {
  bench = await openDispatchBench()
})
afterAll(() => bench.close())
beforeEach(async () => {
  bench.clear()
  bench.now = new Date('2026-01-01T00:00:00.000Z')
  await bench.within(({ db }) => db.deleteFrom('call_rates').execute())
})

const operator: Requester = { kind: 'operator', id: 'desk' }
/** Two calls in a minute. */
const limited = { name: 'limited', rate: { calls: 2, seconds: 60 } }
const free = { name: 'free', rate: null }
const call = (id: string, change: Partial<CountedCall> = {}): CountedCall => ({
  id: id as CallId,
  tool: limited,
  requester: operator,
  ...change,
})

/** What each of the calls of one turn is refused with. */
const turn = (calls: readonly CountedCall[], perMinute?: number) =>
  bench.within(async (unit) => {
    const { before } = await takeRates(unit, calls, perMinute)
    return Promise.all(
      calls.map(async ({ id }) => {
        const refusal = await before?.(unit, { id } as CallInReview)
        return typeof refusal === 'object' ? refusal.instead : refusal
      }),
    )
  })
const isAllowed = async (change?: Partial<CountedCall>, perMinute?: number) => {
  const [refusal] = await turn([call('1', change)], perMinute)
  return refusal === undefined
}
const after = (seconds: number) => {
  bench.now = new Date(bench.now.getTime() + seconds * 1_000)
}

test('a call above the rate of its tool is refused, and told when it may come again', async () => {
  expect(await isAllowed()).toBe(true)
  after(15)
  expect(await isAllowed()).toBe(true)
  expect(await turn([call('1')])).toEqual([
    'limited may be used 2 times in 60 seconds. Try again in 45 seconds.',
  ])
  after(44)
  expect(await turn([call('1')])).toEqual([expect.stringContaining('in 1 seconds')])
  after(1)
  expect(await isAllowed()).toBe(true)
})

test('the window slides: two calls at its end leave no room for two more at the beginning of the next', async () => {
  after(55)
  expect([await isAllowed(), await isAllowed()]).toEqual([true, true])
  after(10)
  expect(await isAllowed()).toBe(false)
  after(49)
  expect(await isAllowed()).toBe(false)
  after(1)
  expect([await isAllowed(), await isAllowed(), await isAllowed()]).toEqual([true, true, false])
})

test('whoever keeps asking is let in as soon as whoever waits', async () => {
  await turn([call('1'), call('2')])
  for (let second = 0; second < 59; second += 1) {
    after(1)
    expect(await isAllowed()).toBe(false)
  }
  after(1)
  expect(await isAllowed()).toBe(true)
})

test('calls count for each person and each tool', async () => {
  for (const id of ['ana', 'bo']) {
    const requester: Requester = { kind: 'peer', id }
    expect([await isAllowed({ requester }), await isAllowed({ requester })]).toEqual([true, true])
  }
  const tool = { ...limited, name: 'other' }
  expect([await isAllowed({ tool }), await isAllowed({ tool })]).toEqual([true, true])
  expect(await isAllowed({ requester: { kind: 'peer', id: 'ana' } })).toBe(false)
})

test('the operator is one person on all devices and in all schedules', async () => {
  expect(await isAllowed({ requester: { kind: 'operator', id: 'phone' } })).toBe(true)
  expect(await isAllowed({ requester: { kind: 'schedule', id: 'sch_1' } })).toBe(true)
  expect(await isAllowed({ requester: { kind: 'schedule', id: 'sch_2' } })).toBe(false)
  expect(await isAllowed()).toBe(false)
  expect(await isAllowed({ requester: { kind: 'webhook', id: 'sch_1' } })).toBe(true)
})

test('calls from before the clock was set back leave the window as if they were made now', async () => {
  after(3_600)
  await turn([call('1'), call('2')])
  after(-3_600)
  expect(await turn([call('1')])).toEqual([expect.stringContaining('in 60 seconds. Try again in 60 seconds')])
  after(59)
  expect(await isAllowed()).toBe(false)
  after(1)
  expect([await isAllowed(), await isAllowed(), await isAllowed()]).toEqual([true, true, false])
})

test('a made tool counts by its own name, for whoever uses it', async () => {
  const rated: ToolCatalogue = {
    ...catalogue,
    find: (name) => {
      const facts = catalogue.find(name)
      return facts && name === 'made' ? { ...facts, rate: { calls: 1, seconds: 60 } } : facts
    },
  }
  const run = await bench.run()
  const use = async (name: string, maker: Requester | null) => {
    const row = await bench.call(run, {
      tool: 'program',
      args: JSON.stringify({ name }),
      requester: maker,
    })
    await authorize(bench.caller(run, { catalogue: rated }), [row], false, bench.ports)
    return (await bench.look(row.id)).result_text
  }
  expect(await use('made', { kind: 'peer', id: 'ana' })).toBe('')
  expect(await use('clean', null)).toBe('')
  expect(await use('made', { kind: 'peer', id: 'bo' })).toContain('made may be used 1 times in 60 seconds')
  const counted = await bench.within(({ db }) =>
    db.selectFrom('call_rates').select(['tool', 'person']).execute(),
  )
  expect(counted).toEqual([{ tool: 'made', person: 'operator' }])
})

test('all tools together have a rate of their own, in the order of the calls', async () => {
  const calls = ['1', '2', '3', '4', '5'].map((id) => call(id, { tool: id < '4' ? limited : free }))
  const refusals = await turn(calls, 3)
  expect(refusals.map((refusal) => refusal?.split(' may')[0] ?? 'allowed')).toEqual([
    'allowed',
    'allowed',
    'limited',
    'allowed',
    'All tools together',
  ])
  expect(await isAllowed({ tool: free }, 3)).toBe(false)
  expect(await isAllowed({ tool: free })).toBe(true)
  expect(await isAllowed({ tool: free, requester: { kind: 'peer', id: 'ana' } }, 3)).toBe(true)
  after(60)
  expect(await isAllowed({ tool: free }, 3)).toBe(true)
})

test('a row holds no more seconds than the window has', async () => {
  for (let second = 0; second < 70; second += 1) {
    await turn([call('1', { tool: free })], 100)
    after(1)
  }
  const rows = await bench.within(({ db }) => db.selectFrom('call_rates').select('recent').execute())
  expect(rows.map(({ recent }) => Object.keys(recent).length)).toEqual([60])
})

test('a call that is decided anew does not count again, and what the operator does by hand never does', async () => {
  const ports = { ...bench.ports, callsPerMinute: 1 }
  const run = await bench.run()
  const outcomes = async (byHand: boolean, calls: number) => {
    const rows = await Promise.all(Array.from({ length: calls }, () => bench.call(run, { tool: 'look' })))
    await authorize(bench.caller(run, { byHand, catalogue }), rows, false, ports)
    return Promise.all(rows.map(async ({ id }) => (await bench.look(id)).outcome))
  }
  expect(await outcomes(true, 3)).toEqual([null, null, null])
  expect(await outcomes(false, 2)).toEqual([null, 'denied'])
  const decision = { kind: 'allow', tier: 0, reason: '', rules: [] } as never
  const again = await bench.call(run, { tool: 'look', decision })
  await authorize(bench.caller(run), [again], false, ports)
  expect((await bench.look(again.id)).outcome).toBeNull()
})

test('turns that count the same tools in another order, and ask in between, never wait for each other', async () => {
  const tools = [limited, { ...limited, name: 'other' }]
  const one = (order: readonly CountedCall['tool'][]) =>
    bench.within(async (unit) => {
      await takeRates(
        unit,
        order.map((tool, at) => call(String(at), { tool })),
        60,
      )
      await lockFreeSpace(unit, 'run_none' as RunId)
    })
  const turns = Array.from({ length: 40 }, (_, at) => one(at % 2 === 0 ? tools : tools.toReversed()))
  const ends = await Promise.allSettled(turns)
  expect(ends.filter(({ status }) => status === 'rejected')).toEqual([])
  const [row] = await bench.within(({ db }) =>
    db.selectFrom('call_rates').select('recent').where('tool', '=', 'other').execute(),
  )
  expect(Object.values(row?.recent ?? {})).toEqual([2])
})
