/** Owns what a calendar event is: a stretch of time or whole days. Refuses one that ends before it begins. */
import { CalendarEvent, eventsCollection, type JsonObject, type Time, timeOf } from '@countersign/contract'
import { defineCollection, type RecordData, textIn } from '../records/collection.ts'

export const events = defineCollection({
  name: eventsCollection,
  singular: 'event',
  prefix: 'event',
  category: 'calendar',
  group: 'calendar',
  shape: CalendarEvent,
  title: 'title',
  columns: ['title', 'startTime', 'endTime', 'isAllDay', 'location', 'category'],
  long: ['description'],
  search: ['title', 'location', 'description'],
  filters: {
    from: { field: 'startTime', how: 'from' },
    to: { field: 'startTime', how: 'to' },
    category: { field: 'category', how: 'equal' },
  },
  order: [{ field: 'startTime', direction: 'up' }],
  settle,
})

function settle(data: JsonObject): RecordData {
  const [from, to] = [textIn(data, 'startTime'), textIn(data, 'endTime')]
  const start = timeOf(from)
  const allDay = data['isAllDay'] ?? start?.kind === 'day'
  const times = allDay === true ? days(from, to) : hours(start, to)
  if (typeof times === 'string') return { kind: 'invalid', reason: times }
  return { kind: 'data', data: { ...data, ...times, isAllDay: allDay } }
}

/** As written: an all-day event is on the days that were named, wherever the operator is. */
function days(start: string, end: string): JsonObject | string {
  const [first, last] = [start.slice(0, 10), (end === '' ? start : end).slice(0, 10)]
  if (last < first) return 'endTime is before startTime.'
  return { startTime: first, ...(end === '' ? {} : { endTime: last }) }
}

function hours(start: Time | undefined, to: string): JsonObject | string {
  if (start === undefined || start.kind === 'day')
    return 'startTime has no time of day. Give one, or set isAllDay to true.'
  const end = timeOf(to)
  if (end === undefined) return { startTime: start.text }
  if (end.kind === 'day') return 'endTime has no time of day. Give one.'
  if (end.kind !== start.kind) return 'Give both times with an offset, or both without.'
  if (end.text < start.text) return 'endTime is before startTime.'
  return { startTime: start.text, endTime: end.text }
}
