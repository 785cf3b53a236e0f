import type { JsonObject } from '@countersign/contract'
import { describe, expect, it } from 'vitest'
import { parseArgs } from '../definition.ts'
import { createRecordToolRunner } from '../testing/record-tool-runner.ts'
import { addCalendarEvent } from './add-calendar-event.ts'
import { batchAddCalendarEvents } from './batch-add-calendar-events.ts'
import { listCalendarEvents } from './list-calendar-events.ts'

async function kept(args: JsonObject): Promise<JsonObject | undefined> {
  const test = createRecordToolRunner()
  await test.use(addCalendarEvent, { title: 'E', ...args })
  const { title: _, ...data } = (await test.records.list('events', { limit: 1 })).records[0]?.data ?? {}
  return data
}

describe('calendar events', () => {
  it('are all day when only a day is named or when it is said', async () => {
    expect(await kept({ startTime: '2026-03-05' })).toEqual({ startTime: '2026-03-05', isAllDay: true })
    expect(await kept({ startTime: '2026-03-05T23:30:00+02:00', isAllDay: true })).toEqual({
      startTime: '2026-03-05',
      isAllDay: true,
    })
    expect(await kept({ startTime: '2026-03-05', endTime: '2026-03-05' })).toMatchObject({
      endTime: '2026-03-05',
    })
  })

  it('have local times or moments, of one form each', async () => {
    expect(await kept({ startTime: '2026-03-05 09:00', endTime: '2026-03-05T10:00:00.000' })).toEqual({
      startTime: '2026-03-05T09:00:00',
      endTime: '2026-03-05T10:00:00',
      isAllDay: false,
    })
    expect(await kept({ startTime: '2026-03-05T09:00:00+0200' })).toMatchObject({
      startTime: '2026-03-05T07:00:00Z',
    })
  })

  it('refuse to end before they begin, and times that cannot be compared', async () => {
    const test = createRecordToolRunner()
    const reasonFor = async (args: JsonObject) => {
      const found = await test.resolve(addCalendarEvent, { title: 'E', ...args })
      return found.kind === 'invalid' ? found.reason : 'taken'
    }
    const at = (startTime: string, endTime?: string, isAllDay?: boolean) =>
      reasonFor({
        startTime,
        ...(endTime ? { endTime } : {}),
        ...(isAllDay === undefined ? {} : { isAllDay }),
      })
    expect(await at('2026-03-05T09:00:00', '2026-03-05T08:59:59')).toContain('before')
    expect(await at('2026-03-05T09:00:00', '2026-03-05T09:00:00')).toBe('taken')
    expect(await at('2026-03-05', '2026-03-04')).toContain('before')
    expect(await at('2026-03-05T09:00:00Z', '2026-03-05T10:00:00')).toContain('offset')
    expect(await at('2026-03-05T09:00:00+02:00', '2026-03-05T07:30:00Z')).toBe('taken')
    expect(await at('2026-03-05', undefined, false)).toContain('time of day')
    expect(await at('2026-03-05T09:00:00', '2026-03-06')).toContain('time of day')
    const many = {
      events: [
        { title: 'A', startTime: '2026-03-05' },
        { title: 'B', startTime: '2026-03-05', isAllDay: false },
      ],
    }
    expect(await test.resolve(batchAddCalendarEvents, many)).toMatchObject({
      kind: 'invalid',
      reason: expect.stringContaining('events.1'),
    })
    expect(parseArgs(addCalendarEvent, { title: 'E', startTime: '2026-13-01' }).kind).toBe('invalid')
    expect(parseArgs(addCalendarEvent, { title: 'E', startTime: '2026-03-01', reminder: -1 }).kind).toBe(
      'invalid',
    )
  })

  it('are listed in order from today on, or between the days that are named', async () => {
    const test = createRecordToolRunner()
    const events = [
      '2026-02-01',
      '2026-03-01T08:00:00',
      '2026-02-28T23:00:00Z',
      '2026-03-10',
      '2026-03-10T09:00:00',
    ]
    await test.use(batchAddCalendarEvents, {
      events: events.map((startTime) => ({ title: startTime, startTime })),
    })
    const starts = async (args: JsonObject) =>
      [...(await test.use(listCalendarEvents, args)).result.text.matchAll(/"title":"([^"]+)"/g)].map(
        ([, at]) => at,
      )
    expect(await starts({})).toEqual(['2026-03-01T08:00:00', '2026-03-10', '2026-03-10T09:00:00'])
    expect(await starts({ to: '2026-02-28' })).toEqual(['2026-02-01', '2026-02-28T23:00:00Z'])
    expect(await starts({ from: '2026-03-10', to: '2026-03-10' })).toEqual([
      '2026-03-10',
      '2026-03-10T09:00:00',
    ])
    expect(await starts({ search: '02-01' })).toEqual(['2026-02-01'])
    expect(parseArgs(listCalendarEvents, { from: 'yesterday' }).kind).toBe('invalid')
  })
})
