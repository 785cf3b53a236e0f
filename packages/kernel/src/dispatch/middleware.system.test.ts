import type { Requester, RunId, ToolFacts } from '@countersign/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { lockFreeSpace } from '../approvals/inbox.ts'
import { type DispatchBench, openDispatchBench } from '../testing/dispatch-bench.ts'
import { catalogue } from '../testing/test-kernel.ts'
import { type CallInReview, lockRates, rateLimits } from './middleware.ts'

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

/** Two calls in a minute. */
const limited = catalogue.find('limited') as ToolFacts
const operator: Requester = { kind: 'operator', id: 'desk' }
const call = (change: Partial<CallInReview> = {}) =>
  bench.within((unit) =>
    (rateLimits.before as NonNullable<typeof rateLimits.before>)(unit, {
      tool: limited,
      requester: operator,
      again: false,
      ...change,
    } as CallInReview),
  )
const isAllowed = async (change?: Partial<CallInReview>) => (await call(change)) === undefined
const after = (seconds: number) => {
  bench.now = new Date(bench.now.getTime() + seconds * 1_000)
}

test('a call above the rate of its tool is refused, and told when it may come again', async () => {
  expect(await isAllowed()).toBe(true)
  after(15)
  expect(await isAllowed()).toBe(true)
  expect(await call()).toContain('45 seconds')
  after(44)
  expect(await call()).toContain('1 seconds')
})

test('the time begins anew when it is over, and every call in it counts', async () => {
  await call()
  after(60)
  expect([await isAllowed(), await isAllowed(), await isAllowed()]).toEqual([true, true, false])
  after(59)
  expect(await isAllowed()).toBe(false)
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

test('a call that is authorized anew does not count again, and a tool without a rate never does', async () => {
  const again = Array.from({ length: 4 }, () => ({ again: true }))
  const free = Array.from({ length: 4 }, () => ({ tool: { ...limited, rate: null } }))
  for (const change of [...again, ...free]) expect(await isAllowed(change)).toBe(true)
  expect([await isAllowed(), await isAllowed(), await isAllowed()]).toEqual([true, true, false])
})

test('turns that count the same tools in another order, and ask in between, never wait for each other', async () => {
  const [one, other] = [limited, { ...limited, name: 'other' }]
  const turn = (tools: readonly ToolFacts[]) =>
    bench.within(async (unit) => {
      await lockRates(unit, tools)
      for (const tool of tools) {
        await rateLimits.before?.(unit, { tool, requester: operator, again: false } as CallInReview)
        await lockFreeSpace(unit, 'run_none' as RunId)
      }
    })
  const turns = Array.from({ length: 40 }, (_, at) => turn(at % 2 === 0 ? [one, other] : [other, one]))
  const ends = await Promise.allSettled(turns)
  expect(ends.filter(({ status }) => status === 'rejected')).toEqual([])
})
