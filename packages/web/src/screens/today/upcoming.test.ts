import type { ScheduleView } from '@countersign/contract'
import { describe, expect, test } from 'vitest'
import { comingRuns, expectedUsd } from './upcoming.ts'

const now = new Date('2026-11-15T12:00:00.000Z')

describe('what runs in the next day', () => {
  test('every time within a day is told, the soonest first', () => {
    const runs = comingRuns(
      [
        schedule('b', ['2026-11-15T20:00:00.000Z', '2026-11-16T20:00:00.000Z']),
        schedule('a', ['2026-11-15T13:00:00.000Z', '2026-11-16T12:00:00.000Z']),
      ],
      now,
    )
    expect(runs.map(({ schedule: { id }, at }) => `${id} ${at.slice(8, 13)}`)).toEqual([
      'a 15T13',
      'b 15T20',
      'a 16T12',
    ])
  })

  test('what is paused or past is left out', () => {
    const paused = schedule('a', ['2026-11-15T13:00:00.000Z'], { status: 'paused' })
    expect(comingRuns([paused, schedule('b', ['2026-11-15T11:59:00.000Z'])], now)).toEqual([])
  })

  test('one that never ran is counted with the most that it may cost', () => {
    const runs = comingRuns(
      [
        schedule('a', ['2026-11-15T13:00:00.000Z'], { averageCostUsd: 0.02 }),
        schedule('b', ['2026-11-15T14:00:00.000Z'], { averageCostUsd: null, maxCostUsd: 0.5 }),
      ],
      now,
    )
    expect(runs.map(({ isCeiling }) => isCeiling)).toEqual([false, true])
    expect(expectedUsd(runs)).toBeCloseTo(0.52)
  })
})

function schedule(id: string, next: string[], other: Partial<ScheduleView> = {}): ScheduleView {
  return { id, next, status: 'active', averageCostUsd: 0.1, maxCostUsd: 1, ...other } as ScheduleView
}
