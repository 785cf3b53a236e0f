/** The part of the typed client that speaks of schedules. */
import { z } from 'zod'
import {
  type AddSchedule,
  type ChangeSchedule,
  OccurrenceView,
  ScheduleChanged,
  ScheduleFired,
  SchedulePreview,
  ScheduleRemoved,
  ScheduleView,
  WhyNot,
} from '../api-schedules.ts'
import { type Call, part, query } from './call.ts'

export function scheduleCalls(call: Call) {
  const one = (id: string) => `/v1/schedules/${part(id)}`
  return {
    schedules: () => call(z.array(ScheduleView), 'GET', '/v1/schedules'),
    schedule: (id: string) => call(ScheduleView, 'GET', one(id)),
    /** What would be made; nothing is kept. */
    previewSchedule: (added: z.input<typeof AddSchedule>) =>
      call(SchedulePreview, 'POST', '/v1/schedules/preview', added),
    addSchedule: (added: z.input<typeof AddSchedule>) =>
      call(ScheduleChanged, 'POST', '/v1/schedules', added),
    changeSchedule: (id: string, change: z.input<typeof ChangeSchedule>) =>
      call(ScheduleChanged, 'PUT', one(id), change),
    removeSchedule: (id: string) => call(ScheduleRemoved, 'DELETE', one(id)),
    runSchedule: (id: string) => call(ScheduleFired, 'POST', `${one(id)}/run`, {}),
    occurrences: (id: string, filter: { limit?: string } = {}) =>
      call(z.array(OccurrenceView), 'GET', `${one(id)}/occurrences${query(filter)}`),
    whyNot: (id: string, filter: { day?: string } = {}) =>
      call(WhyNot, 'GET', `${one(id)}/why-not${query(filter)}`),
  }
}
