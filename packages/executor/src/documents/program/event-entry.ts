/** Reads and changes one event of a calendar server: an iCalendar file with a master and, where it repeats, exceptions. */
import ICAL from 'ical.js'
import { doneWithin } from './bounded-work.ts'
import { type Component, textOf } from './component.ts'
import {
  type ChangedEntry,
  type EntryFields,
  type EntryWish,
  isAsWished,
  type ReadEntries,
  written,
} from './entry.ts'
import { changeReminder, reminderOf } from './event-reminder.ts'
import { Refusal } from './serve.ts'
import { lineOf, shown } from './shown-text.ts'

type Time = InstanceType<typeof ICAL.Time>

const mostOccurrences = 100
const mostSteps = 20_000
/** For working out the occurrences of one series. */
const seriesMs = 400
const mostParts = 500

export function readEvents(
  text: string,
  window: { readonly from: string; readonly to: string },
): ReadEntries {
  const events = eventsIn(calendarOf(text))
  const [first] = events
  if (!first)
    return { uid: '', shared: false, repeats: false, problem: 'It is no event.', common: {}, entries: [] }
  const master = events.find((event) => !event.hasProperty('recurrence-id'))
  const uid = String(first.getFirstPropertyValue('uid') ?? '')
  const shared = events.some(isShared)
  const repeats = master ? isSeries(master) : true
  if (!repeats && master) {
    const entries = isCancelled(master) ? [] : [{ recurrence: '', alike: false, fields: fieldsOf(master) }]
    return { uid, shared, repeats, problem: null, common: {}, entries }
  }
  const exceptions = events.filter((event) => event !== master)
  const common = master ? fieldsOf(master) : {}
  const found = master ? occurrencesOf(master, window) : { times: [], problem: null }
  const length = master ? lengthOf(master) : 0
  const told = new Set<Component>()
  const entries = found.times.flatMap((time) => {
    const exception = exceptions.find((event) => isSameTime(recurrenceIdOf(event), time))
    if (exception) told.add(exception)
    return exception
      ? entryOf(exception, time)
      : [{ recurrence: time.toICALString(), alike: true, fields: placed(time, length) }]
  })
  // Moved into the window from outside, or without a master: an invitation to one occurrence.
  for (const exception of exceptions) {
    const time = recurrenceIdOf(exception)
    const start = String(fieldsOf(exception)['startTime'] ?? '').slice(0, 10)
    if (time && !told.has(exception) && start >= window.from && start <= window.to)
      entries.push(...entryOf(exception, time))
  }
  return { uid, shared, repeats, problem: found.problem, common, entries: entries.slice(0, mostOccurrences) }
}

export function changeEvent(text: string, wish: EntryWish): ChangedEntry {
  const calendar = text.trim() === '' ? newCalendar(wish) : calendarOf(text)
  const events = eventsIn(calendar)
  const shared = events.some(isShared)
  const master = events.find((event) => !event.hasProperty('recurrence-id'))
  const target = wish.recurrence === '' ? master : exceptionFor(events, wish.recurrence)
  const isExcluded = wish.recurrence !== '' && master !== undefined && excludes(master, wish.recurrence)
  const now = () =>
    target ? fieldsOf(target) : isExcluded ? undefined : plainOccurrence(master, wish.recurrence)
  const same = text.trim() !== '' && isAsWished(now(), wish)
  if (wish.remove) {
    if (wish.recurrence !== '' && master && !isExcluded) exclude(master, wish.recurrence)
    if (target && wish.recurrence !== '') calendar.removeSubcomponent(target)
    if (master && wish.recurrence !== '') stamp(master, wish.at)
    return { made: calendar.toString(), same, shared }
  }
  const changed = target ?? newException(calendar, master, wish.recurrence)
  apply(changed, wish)
  return { made: calendar.toString(), same, shared }
}

function calendarOf(text: string): Component {
  const calendar = new ICAL.Component(ICAL.parse(text) as never)
  if (calendar.name !== 'vcalendar') throw new Refusal('It is not a calendar.')
  return calendar
}

function eventsIn(calendar: Component): Component[] {
  const events = calendar.getAllSubcomponents('vevent')
  if (events.length > mostParts) throw new Refusal(`It has more than ${mostParts} parts.`)
  return events
}

const isShared = (event: Component) => event.hasProperty('attendee') || event.hasProperty('organizer')
const isSeries = (event: Component) => event.hasProperty('rrule') || event.hasProperty('rdate')
const isCancelled = (event: Component) => textOf(event, 'status').toUpperCase() === 'CANCELLED'

function entryOf(exception: Component, time: Time) {
  if (isCancelled(exception)) return []
  return [{ recurrence: time.toICALString(), alike: false, fields: fieldsOf(exception) }]
}

function timeOf(event: Component, name: string): Time | undefined {
  const value = event.getFirstPropertyValue(name)
  return value instanceof ICAL.Time ? value : undefined
}

const recurrenceIdOf = (event: Component) => timeOf(event, 'recurrence-id')

function fieldsOf(event: Component): EntryFields {
  const start = timeOf(event, 'dtstart')
  if (!start) throw new Refusal('It has no beginning.')
  const fields: EntryFields = {
    title: lineOf(textOf(event, 'summary'), 300) || '(no title)',
    ...placed(start, lengthOf(event)),
  }
  const location = lineOf(textOf(event, 'location'), 500)
  const description = prose(textOf(event, 'description'))
  const category = lineOf(textOf(event, 'categories'), 100)
  const reminder = reminderOf(event)
  if (location !== '') fields['location'] = location
  if (description !== '') fields['description'] = description
  if (category !== '') fields['category'] = category
  if (reminder !== undefined) fields['reminder'] = reminder
  return fields
}

function prose(text: string): string {
  return shown(text.replaceAll('\r\n', '\n')).slice(0, 10_000).toWellFormed()
}

/** In seconds; of whole days, in days of them. */
function lengthOf(event: Component): number {
  const start = timeOf(event, 'dtstart')
  const end = timeOf(event, 'dtend')
  if (!start) return 0
  const seconds = end
    ? end.toUnixTime() - start.toUnixTime()
    : event.getFirstPropertyValue('duration') instanceof ICAL.Duration
      ? (event.getFirstPropertyValue('duration') as InstanceType<typeof ICAL.Duration>).toSeconds()
      : 0
  // A length that no life has is a mistake or worse.
  return Number.isFinite(seconds) && seconds > 0 && seconds < 86_400 * 36_600 ? seconds : 0
}

/** Ours end on their last day; those of a server on the day after it. */
function placed(start: Time, seconds: number): EntryFields {
  if (start.isDate) {
    const days = Math.max(Math.round(seconds / 86_400) - 1, 0)
    const first = dayText(start)
    return { startTime: first, isAllDay: true, ...(days > 0 ? { endTime: laterDay(first, days) } : {}) }
  }
  const [from, to] = [momentText(start, 0), momentText(start, seconds)]
  return { startTime: from, isAllDay: false, ...(seconds > 0 ? { endTime: to } : {}) }
}

function dayText({ year, month, day }: Time): string {
  return `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
}

function laterDay(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)
}

/** A time without a zone is one wherever the operator is. */
function momentText(start: Time, seconds: number): string {
  const isLocal = start.zone === ICAL.Timezone.localTimezone
  const at = isLocal
    ? Date.UTC(start.year, start.month - 1, start.day, start.hour, start.minute, start.second)
    : start.toUnixTime() * 1000
  const text = new Date(at + seconds * 1000).toISOString().slice(0, 19)
  return isLocal ? text : `${text}Z`
}

/** Some rules repeat every second for ever, and some never end to be worked out. Neither takes more than its share. */
function occurrencesOf(
  master: Component,
  window: { readonly from: string; readonly to: string },
): { times: Time[]; problem: string | null } {
  const start = timeOf(master, 'dtstart')
  if (!start) throw new Refusal('It has no beginning.')
  const times = new Map<string, Time>()
  let steps = 0
  const work = (): 'all' | 'some' | 'endless' => {
    const expansion = new ICAL.RecurExpansion({ component: master, dtstart: start })
    for (let time = expansion.next(); time; time = expansion.next()) {
      steps += 1
      if (steps > mostSteps) return 'endless'
      const day = dayText(time)
      if (day > window.to) return 'all'
      if (day < window.from) continue
      if (times.size >= mostOccurrences && !times.has(time.toICALString())) return 'some'
      // One that is named twice happens once.
      times.set(time.toICALString(), time.clone())
    }
    return 'all'
  }
  let done: ReturnType<typeof work> | undefined
  try {
    done = doneWithin(seriesMs, work)?.result
  } catch {
    done = undefined
  }
  if (done === 'all') return { times: [...times.values()], problem: null }
  if (done === 'some')
    return {
      times: [...times.values()],
      problem: `It repeats more often; the first ${mostOccurrences} are shown.`,
    }
  return { times: [start], problem: 'It repeats too often to be worked out; only its beginning is shown.' }
}

function isSameTime(left: Time | undefined, right: Time): boolean {
  if (!left || left.isDate !== right.isDate) return false
  return left.isDate ? dayText(left) === dayText(right) : left.toUnixTime() === right.toUnixTime()
}

/** In the zone in which the series begins. */
function timeNamed(master: Component, recurrence: string): Time {
  const start = timeOf(master, 'dtstart')
  const [, y, m, d, h = '0', i = '0', s = '0'] =
    /^(\d{4})(\d{2})(\d{2})(?:T(\d{2})(\d{2})(\d{2})Z?)?$/.exec(recurrence) ?? []
  if (!start || y === undefined) throw new Refusal('It is not an occurrence of this series.')
  const [year, month, day] = [Number(y), Number(m), Number(d)]
  const data = start.isDate
    ? { year, month, day, isDate: true }
    : { year, month, day, hour: Number(h), minute: Number(i), second: Number(s), isDate: false }
  return new ICAL.Time(data, start.zone)
}

function exceptionFor(events: readonly Component[], recurrence: string): Component | undefined {
  const master = events.find((event) => !event.hasProperty('recurrence-id'))
  return events.find((event) => {
    const id = recurrenceIdOf(event)
    if (!id) return false
    return (
      id.toICALString() === recurrence ||
      (master !== undefined && isSameTime(id, timeNamed(master, recurrence)))
    )
  })
}

function plainOccurrence(master: Component | undefined, recurrence: string): EntryFields | undefined {
  if (!master || recurrence === '') return undefined
  return { ...fieldsOf(master), ...placed(timeNamed(master, recurrence), lengthOf(master)) }
}

function excludes(master: Component, recurrence: string): boolean {
  const time = timeNamed(master, recurrence)
  return master
    .getAllProperties('exdate')
    .some((property) =>
      property.getValues().some((value) => value instanceof ICAL.Time && isSameTime(value, time)),
    )
}

function exclude(master: Component, recurrence: string): void {
  const property = new ICAL.Property('exdate')
  setTime(property, timeNamed(master, recurrence), zoneOf(master))
  master.addProperty(property)
}

const zoneOf = (master: Component) => master.getFirstProperty('dtstart')?.getFirstParameter('tzid')

function setTime(property: InstanceType<typeof ICAL.Property>, time: Time, zone: string | undefined): void {
  if (time.isDate) property.resetType('date')
  property.setValue(time)
  if (zone) property.setParameter('tzid', zone)
}

function newException(calendar: Component, master: Component | undefined, recurrence: string): Component {
  if (!master || recurrence === '') throw new Refusal('It has no event that could be changed.')
  const time = timeNamed(master, recurrence)
  const exception = new ICAL.Component(structuredClone(master.toJSON()) as never)
  for (const name of ['rrule', 'rdate', 'exdate', 'exrule']) exception.removeAllProperties(name)
  const id = new ICAL.Property('recurrence-id')
  setTime(id, time, zoneOf(master))
  exception.addProperty(id)
  const length = lengthOf(master)
  exception.removeAllProperties('duration')
  for (const [name, at] of [
    ['dtstart', 0],
    ['dtend', length],
  ] as const) {
    exception.removeAllProperties(name)
    if (name === 'dtend' && length === 0) continue
    const moved = time.clone()
    moved.addDuration(ICAL.Duration.fromSeconds(at))
    const property = new ICAL.Property(name)
    setTime(property, moved, zoneOf(master))
    exception.addProperty(property)
  }
  calendar.addSubcomponent(exception)
  return exception
}

function newCalendar({ uid }: EntryWish): Component {
  const calendar = new ICAL.Component('vcalendar')
  calendar.addPropertyWithValue('version', '2.0')
  calendar.addPropertyWithValue('prodid', '-//Countersign//Calendar//EN')
  const event = new ICAL.Component('vevent')
  event.addPropertyWithValue('uid', written(uid).replaceAll('\n', ''))
  calendar.addSubcomponent(event)
  return calendar
}

const plain = { title: 'summary', location: 'location', description: 'description' } as const

function apply(event: Component, { set, unset, at }: EntryWish): void {
  for (const [field, name] of Object.entries(plain)) {
    const value = set[field]
    if (value !== undefined) event.updatePropertyWithValue(name, written(value))
    else if (unset.includes(field)) event.removeAllProperties(name)
  }
  if (set['category'] !== undefined || unset.includes('category')) changeCategory(event, set['category'])
  if (set['reminder'] !== undefined || unset.includes('reminder')) changeReminder(event, set['reminder'])
  if (set['startTime'] !== undefined) changeTimes(event, set)
  stamp(event, at)
}

function stamp(event: Component, at: string): void {
  const time = ICAL.Time.fromJSDate(new Date(at), true)
  for (const name of ['dtstamp', 'last-modified']) event.updatePropertyWithValue(name, time)
  const number = Number(event.getFirstPropertyValue('sequence') ?? -1)
  event.updatePropertyWithValue('sequence', Number.isInteger(number) ? Math.max(number + 1, 0) : 0)
}

/** Others that the server has beside it stay. */
function changeCategory(event: Component, value: string | number | boolean | undefined): void {
  const property = event.getFirstProperty('categories')
  const others = property?.getValues().slice(1).map(String) ?? []
  event.removeProperty('categories')
  const all = [...(value === undefined ? [] : [written(value)]), ...others]
  if (all.length === 0) return
  const made = new ICAL.Property('categories')
  made.setValues(all)
  event.addProperty(made)
}

function changeTimes(event: Component, set: EntryFields): void {
  const allDay = set['isAllDay'] === true
  const start = String(set['startTime'])
  const end = set['endTime'] === undefined ? undefined : String(set['endTime'])
  for (const name of ['dtstart', 'dtend', 'duration']) event.removeAllProperties(name)
  const put = (name: string, text: string) => {
    const property = new ICAL.Property(name)
    if (allDay) property.resetType('date')
    property.setValue(allDay ? ICAL.Time.fromDateString(text) : ICAL.Time.fromDateTimeString(text))
    event.addProperty(property)
  }
  put('dtstart', start)
  if (allDay) put('dtend', laterDay(end ?? start, 1))
  else if (end !== undefined) put('dtend', end)
}
