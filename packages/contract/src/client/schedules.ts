/** The part of the typed client that speaks of schedules. */
import type { z } from 'zod'
import type { AddSchedule, ChangeSchedule } from '../api-schedules.ts'
import { scheduleRoutes } from '../routes/schedules.ts'
import type { Call } from './call.ts'

export function scheduleCalls(call: Call) {
  return {
    schedules: () => call(scheduleRoutes.schedules),
    schedule: (id: string) => call(scheduleRoutes.schedule, { params: { id } }),
    /** What would be made; nothing is kept. */
    previewSchedule: (added: z.input<typeof AddSchedule>) =>
      call(scheduleRoutes.previewSchedule, { body: added }),
    addSchedule: (added: z.input<typeof AddSchedule>) => call(scheduleRoutes.addSchedule, { body: added }),
    changeSchedule: (id: string, change: z.input<typeof ChangeSchedule>) =>
      call(scheduleRoutes.changeSchedule, { params: { id }, body: change }),
    removeSchedule: (id: string) => call(scheduleRoutes.removeSchedule, { params: { id } }),
    runSchedule: (id: string) => call(scheduleRoutes.runSchedule, { params: { id } }),
    lookForMail: (id: string) => call(scheduleRoutes.lookForMail, { params: { id } }),
    occurrences: (id: string, filter: { limit?: string } = {}) =>
      call(scheduleRoutes.occurrences, { params: { id }, query: filter }),
    whyNot: (id: string, filter: { day?: string } = {}) =>
      call(scheduleRoutes.whyNot, { params: { id }, query: filter }),
  }
}
