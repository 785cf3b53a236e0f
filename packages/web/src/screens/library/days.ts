/** Owns the days of a calendar: which ones a month or a week has, and which events fall on each. */
import type { RecordView } from '@countersign/contract'
import { textIn } from './values.ts'

/** A day wherever the operator is, as 2026-03-31. */
export type Day = string

export function dayOf(at: Date): Day {
  const two = (part: number) => String(part).padStart(2, '0')
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
}

export function dateOf(day: Day): Date {
  return new Date(`${day}T12:00:00`)
}

export function addDays(day: Day, count: number): Day {
  const at = dateOf(day)
  at.setDate(at.getDate() + count)
  return dayOf(at)
}

export function addMonths(day: Day, count: number): Day {
  const at = dateOf(`${day.slice(0, 8)}01`)
  at.setMonth(at.getMonth() + count)
  return dayOf(at)
}

/** Monday to Sunday. */
export function weekOf(day: Day): readonly Day[] {
  const monday = addDays(day, -((dateOf(day).getDay() + 6) % 7))
  return Array.from({ length: 7 }, (_, place) => addDays(monday, place))
}

/** Whole weeks around the month. */
export function monthOf(day: Day): readonly (readonly Day[])[] {
  const first = `${day.slice(0, 8)}01`
  const last = addDays(addMonths(day, 1), -1)
  const weeks: (readonly Day[])[] = []
  for (let week = weekOf(first); (week[0] ?? '') <= last; week = weekOf(addDays(week[0] ?? last, 7)))
    weeks.push(week)
  return weeks
}

/** The days of an event; a moment with a zone is on the day that it is here. */
export function spanOf({ data }: RecordView): {
  readonly from: Day
  readonly to: Day
  readonly time: string
} {
  const start = textIn(data, 'startTime')
  const end = typeof data['endTime'] === 'string' ? data['endTime'] : start
  const [from, to] = [hereDay(start), hereDay(end)]
  return { from, to: to < from ? from : to, time: data['isAllDay'] === true ? '' : hereTime(start) }
}

export function eventsOn(events: readonly RecordView[], day: Day): readonly RecordView[] {
  return events
    .filter((event) => {
      const { from, to } = spanOf(event)
      return from <= day && day <= to
    })
    .toSorted((left, right) => spanOf(left).time.localeCompare(spanOf(right).time))
}

const hasZone = (text: string) => /T.*(Z|[+-]\d{2}:?\d{2})$/.test(text)
const hereDay = (text: string) => (hasZone(text) ? dayOf(new Date(text)) : text.slice(0, 10))

function hereTime(text: string): string {
  if (!hasZone(text)) return text.slice(11, 16)
  const at = new Date(text)
  return `${String(at.getHours()).padStart(2, '0')}:${String(at.getMinutes()).padStart(2, '0')}`
}
