import { expect, test } from 'vitest'
import { momentsOfDay, runsOfDay } from './day-strip.ts'

const now = new Date(2026, 10, 16, 18, 0)
const at = (hour: number) => new Date(2026, 10, 16, hour)
const run = (over: object) => ({
  id: 'run_1' as never,
  startedAt: at(6).toISOString(),
  endedAt: at(12).toISOString() as string | null,
  parkedAt: null,
  waitedMs: 0,
  ...over,
})

test('a run stands where it was in the day, with what it waited at its end', () => {
  expect(runsOfDay([run({ waitedMs: 3 * 3_600_000 })], now)).toEqual([
    { id: 'run_1', from: at(6), waitFrom: at(9), to: at(12) },
  ])
})

test('one that goes on ends now, and its wait goes on too', () => {
  const going = run({ startedAt: at(16).toISOString(), endedAt: null, parkedAt: at(17).toISOString() })
  expect(runsOfDay([going], now)).toEqual([{ id: 'run_1', from: at(16), waitFrom: at(17), to: now }])
})

test('what was on another day is not in it', () => {
  const yesterday = new Date(2026, 10, 15, 10).toISOString()
  expect(runsOfDay([run({ startedAt: yesterday, endedAt: yesterday })], now)).toEqual([])
  expect(momentsOfDay([yesterday, at(12).toISOString()], now)).toEqual([at(12)])
})
