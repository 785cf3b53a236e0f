/** Owns the routes of schedules. Every change is an act of the operator and answers with the number of its entry. */
import type {
  AddSchedule,
  ChangeSchedule,
  OccurrenceView,
  ScheduleChanged,
  ScheduleFired,
  ScheduleLooked,
  SchedulePreview,
  ScheduleRemoved,
  ScheduleView,
  WhyNot,
} from '@countersign/contract'
import { scheduleRoutes } from '@countersign/contract/routes'
import type { Actor } from '@countersign/kernel'
import { type App, route } from './route.ts'

/** What the operator may do with schedules. */
export interface ScheduleParts {
  list(): Promise<ScheduleView[]>
  get(id: string): Promise<ScheduleView>
  preview(added: AddSchedule): SchedulePreview
  add(added: AddSchedule, actor: Actor): Promise<ScheduleChanged>
  change(id: string, change: ChangeSchedule, actor: Actor): Promise<ScheduleChanged>
  remove(id: string, actor: Actor): Promise<ScheduleRemoved>
  run(id: string, actor: Actor): Promise<ScheduleFired>
  lookNow(id: string): Promise<ScheduleLooked>
  history(id: string, limit: number): Promise<OccurrenceView[]>
  whyNot(id: string, day?: string): Promise<WhyNot>
}

export function addScheduleRoutes(app: App, schedules: ScheduleParts): void {
  app.openapi(route(scheduleRoutes.schedules), async (context) => context.json(await schedules.list(), 200))
  app.openapi(route(scheduleRoutes.previewSchedule), (context) =>
    context.json(schedules.preview(context.req.valid('json')), 200),
  )
  app.openapi(route(scheduleRoutes.addSchedule), async (context) =>
    context.json(await schedules.add(context.req.valid('json'), context.get('speaker').actor), 200),
  )
  app.openapi(route(scheduleRoutes.schedule), async (context) =>
    context.json(await schedules.get(context.req.valid('param').id), 200),
  )
  app.openapi(route(scheduleRoutes.changeSchedule), async (context) => {
    const { actor } = context.get('speaker')
    const { id } = context.req.valid('param')
    return context.json(await schedules.change(id, context.req.valid('json'), actor), 200)
  })
  app.openapi(route(scheduleRoutes.removeSchedule), async (context) =>
    context.json(await schedules.remove(context.req.valid('param').id, context.get('speaker').actor), 200),
  )
  app.openapi(route(scheduleRoutes.runSchedule), async (context) =>
    context.json(await schedules.run(context.req.valid('param').id, context.get('speaker').actor), 200),
  )
  app.openapi(route(scheduleRoutes.lookForMail), async (context) =>
    context.json(await schedules.lookNow(context.req.valid('param').id), 200),
  )
  app.openapi(route(scheduleRoutes.occurrences), async (context) => {
    const { id } = context.req.valid('param')
    // Also of one that was removed; an id that never was has none.
    return context.json(await schedules.history(id, context.req.valid('query').limit), 200)
  })
  app.openapi(route(scheduleRoutes.whyNot), async (context) => {
    const { id } = context.req.valid('param')
    return context.json(await schedules.whyNot(id, context.req.valid('query').day), 200)
  })
}
