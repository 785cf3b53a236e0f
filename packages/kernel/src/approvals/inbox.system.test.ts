import { randomUUIDv7 } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type MadeApprovals, madeApprovals } from '../testing/made-requests.ts'
import { type MadeCall, type MadeStore, openMadeStore } from '../testing/made-store.ts'
import { countUndecided, lockFreeSpace } from './inbox.ts'
import { askQuestion, closeQuestion, openQuestions } from './questions.ts'

const actor = { kind: 'operator', id: 'desk', reach: 3 } as const
let store: MadeStore
let approvals: MadeApprovals
let call: MadeCall

beforeAll(async () => {
  store = await openMadeStore()
  approvals = madeApprovals(store)
})
afterAll(() => store.close())
beforeEach(async () => {
  call = await store.newCall(await store.newOperator())
})

const waiting = (run: MadeCall['run'] | null = call.run) =>
  store.read(call.operator, (db) => countUndecided(db, call.operator, run))
const room = (of: MadeCall = call) => store.within(of.operator, (unit) => lockFreeSpace(unit, of.run))
const question = (kind: 'operator' | 'unknown', about: MadeCall = call) =>
  store.within(about.operator, (unit) =>
    askQuestion(unit, { ...about, kind, text: 'Which?', choices: [] }, randomUUIDv7),
  )

describe('what waits for the operator', () => {
  it('is counted for the run and for all runs: requests, and questions of agents', async () => {
    await approvals.ask(call)
    await question('operator')
    await approvals.ask(await store.newCall(call.operator))
    expect(await waiting()).toEqual({ ofRun: 2, all: 3 })
    expect(await waiting(null)).toEqual({ ofRun: 0, all: 3 })
  })

  it('does not count an effect of unknown end, which asks by itself', async () => {
    await question('unknown')
    expect(await waiting()).toEqual({ ofRun: 0, all: 0 })
  })

  it('does not count what was decided or answered', async () => {
    const { id } = await approvals.ask(call)
    await question('operator')
    await approvals.decide(call.operator, id, { verdict: 'deny', reason: '', stop: false }, actor)
    expect(await waiting()).toEqual({ ofRun: 1, all: 1 })
    await store.within(call.operator, async (unit) => {
      for (const open of await openQuestions(unit, call.run)) await closeQuestion(unit, open, 'This', actor)
    })
    expect(await waiting()).toEqual({ ofRun: 0, all: 0 })
  })

  it('does not count what waits for another operator', async () => {
    await approvals.ask(await store.newCall(await store.newOperator()))
    expect(await waiting()).toEqual({ ofRun: 0, all: 0 })
  })
})

describe('the room that is left', () => {
  it('is five for a run, whatever other runs ask', async () => {
    await approvals.ask(await store.newCall(call.operator))
    for (const left of [5, 4, 3, 2, 1]) {
      expect(await room()).toBe(left)
      await approvals.ask(call)
    }
    expect(await room()).toBe(0)
    expect(await room(await store.newCall(call.operator))).toBe(5)
  })

  it('is fifty for all runs of an operator', async () => {
    for (let run = 0; run < 10; run += 1) {
      const other = await store.newCall(call.operator)
      for (let asked = run === 0 ? 1 : 0; asked < 5; asked += 1) await approvals.ask(other)
    }
    expect(await room()).toBe(1)
    await approvals.ask(call)
    expect(await room()).toBe(0)
  })

  it('is held until the unit ends, so that two who ask at once cannot both have the last place', async () => {
    const order: string[] = []
    let second: Promise<number> | undefined
    await store.within(call.operator, async (unit) => {
      expect(await lockFreeSpace(unit, call.run)).toBe(5)
      second = room().finally(() => order.push('second'))
      await Promise.race([second, sleep(200)])
      await askQuestion(unit, { ...call, kind: 'operator', text: 'Which?', choices: [] }, randomUUIDv7)
      order.push('first')
    })
    expect(await second).toBe(4)
    expect(order).toEqual(['first', 'second'])
  })

  it('is not held against another operator', async () => {
    const stranger = await store.newCall(await store.newOperator())
    await store.within(call.operator, async (unit) => {
      await lockFreeSpace(unit, call.run)
      expect(await room(stranger)).toBe(5)
    })
  })
})
