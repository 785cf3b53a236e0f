/** Reads and changes the one reminder of an event that our records know: so many minutes before it begins. */
import ICAL from 'ical.js'
import type { Component } from './component.ts'

const mostMinutes = 525_600

/** What only tells. Others send e-mails or start programs, which is nothing that our records mean by a reminder. */
const telling = /^(?:DISPLAY|AUDIO)$/i

/** The first alarm that tells a time before the beginning; the others are left as they are. */
function alarmOf(event: Component): { alarm: Component; minutes: number } | undefined {
  for (const alarm of event.getAllSubcomponents('valarm').slice(0, 20)) {
    if (!telling.test(String(alarm.getFirstPropertyValue('action') ?? 'DISPLAY'))) continue
    const trigger = alarm.getFirstProperty('trigger')
    const value = trigger?.getFirstValue()
    if (!(value instanceof ICAL.Duration) || trigger?.getFirstParameter('related') === 'END') continue
    const minutes = Math.round(-value.toSeconds() / 60)
    if (minutes >= 0 && minutes <= mostMinutes) return { alarm, minutes: Math.abs(minutes) }
  }
  return undefined
}

export function reminderOf(event: Component): number | undefined {
  return alarmOf(event)?.minutes
}

export function changeReminder(event: Component, minutes: string | number | boolean | undefined): void {
  const known = alarmOf(event)
  if (minutes === undefined) {
    if (known) event.removeSubcomponent(known.alarm)
    return
  }
  const trigger = ICAL.Duration.fromSeconds(-Math.trunc(Number(minutes)) * 60)
  if (known) {
    known.alarm.updatePropertyWithValue('trigger', trigger)
    return
  }
  const alarm = new ICAL.Component('valarm')
  alarm.addPropertyWithValue('action', 'DISPLAY')
  alarm.addPropertyWithValue('description', 'Reminder')
  alarm.addPropertyWithValue('trigger', trigger)
  event.addSubcomponent(alarm)
}
