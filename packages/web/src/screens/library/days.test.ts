import type { RecordView } from '@countersign/contract'
import { expect, test } from 'vitest'
import { addMonths, eventsOn, monthOf, spanOf, weekOf } from './days.ts'

const event = (data: Record<string, unknown>) => ({ id: 'e', data }) as unknown as RecordView

test('a week begins on Monday, and a month has whole weeks', () => {
  expect(weekOf('2026-11-16')[0]).toBe('2026-11-16')
  expect(weekOf('2026-11-22')[0]).toBe('2026-11-16')
  const weeks = monthOf('2026-11-16')
  expect([weeks[0]?.[0], weeks.at(-1)?.at(-1), weeks.length]).toEqual(['2026-10-26', '2026-12-06', 6])
  expect(addMonths('2026-01-31', 1)).toBe('2026-02-01')
})

test('an event is on each of its days, those of the whole day first', () => {
  const fair = event({ startTime: '2026-04-01', endTime: '2026-04-03', isAllDay: true })
  const late = event({ startTime: '2026-04-02T18:00:00' })
  const early = event({ startTime: '2026-04-02T09:00:00' })
  expect(eventsOn([late, early, fair], '2026-04-02')).toEqual([fair, early, late])
  expect(eventsOn([late, early, fair], '2026-04-04')).toEqual([])
  expect(spanOf(late).time).toBe('18:00')
})
