/** The part of the typed client that speaks of schedules. */
import type { z } from 'zod'
import type { AddSchedule, ChangeSchedule } from '../api-schedules.ts'
import type { Call } from './call.ts'

/** Loaded with the first call, as those of e-mail. */
const routes = async () => (await import('../routes/schedules.ts')).scheduleRoutes

export function scheduleCalls(call: Call) {
  return {
    schedules: async () => call((await routes()).schedules),
    schedule: async (id: string) => call((await routes()).schedule, { params: { id } }),
    /** What would be made; nothing is kept. */
    previewSchedule: async (added: z.input<typeof AddSchedule>) =>
      call((await routes()).previewSchedule, { body: added }),
    addSchedule: async (added: z.input<typeof AddSchedule>) =>
      call((await routes()).addSchedule, { body: added }),
    changeSchedule: async (id: string, change: z.input<typeof ChangeSchedule>) =>
      call((await routes()).changeSchedule, { params: { id }, body: change }),
    removeSchedule: async (id: string) => call((await routes()).removeSchedule, { params: { id } }),
    lookForMail: async (id: string) => call((await routes()).lookForMail, { params: { id } }),
    runSchedule: async (id: string) => call((await routes()).runSchedule, { params: { id } }),
    occurrences: async (id: string, filter: { limit?: string } = {}) =>
      call((await routes()).occurrences, { params: { id }, query: filter }),
    whyNot: async (id: string, filter: { day?: string } = {}) =>
      call((await routes()).whyNot, { params: { id }, query: filter }),
  }
}
