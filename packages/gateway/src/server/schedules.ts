/** Owns the routes of schedules. Every change is an act of the operator and answers with the number of its entry. */
import {
  AddSchedule,
  ChangeSchedule,
  OccurrenceView,
  ScheduleChanged,
  ScheduleFired,
  SchedulePreview,
  ScheduleRemoved,
  ScheduleView,
  WhyNot,
} from '@countersign/contract'
import type { Actor } from '@countersign/kernel'
import { z } from '@hono/zod-openapi'
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
  history(id: string, limit: number): Promise<OccurrenceView[]>
  whyNot(id: string, day?: string): Promise<WhyNot>
}

const one = { params: z.object({ id: z.string().max(100) }) }

export function addScheduleRoutes(app: App, schedules: ScheduleParts): void {
  app.openapi(
    route(
      'get',
      '/v1/schedules',
      'Automations, with their next run and last outcome.',
      z.array(ScheduleView),
    ),
    async (context) => context.json(await schedules.list(), 200),
  )
  app.openapi(
    route(
      'post',
      '/v1/schedules/preview',
      'Shows how a sentence is understood. Nothing is saved.',
      SchedulePreview,
      {
        body: AddSchedule,
      },
    ),
    (context) => context.json(schedules.preview(context.req.valid('json')), 200),
  )
  app.openapi(
    route(
      'post',
      '/v1/schedules',
      'Creates an automation from a sentence or from its parts.',
      ScheduleChanged,
      {
        body: AddSchedule,
      },
    ),
    async (context) =>
      context.json(await schedules.add(context.req.valid('json'), context.get('speaker').actor), 200),
  )
  app.openapi(route('get', '/v1/schedules/{id}', 'One automation.', ScheduleView, one), async (context) =>
    context.json(await schedules.get(context.req.valid('param').id), 200),
  )
  app.openapi(
    route(
      'put',
      '/v1/schedules/{id}',
      'Changes the given fields of an automation. Changed work is a new version without the grants of the old one.',
      ScheduleChanged,
      { ...one, body: ChangeSchedule },
    ),
    async (context) => {
      const { actor } = context.get('speaker')
      const { id } = context.req.valid('param')
      return context.json(await schedules.change(id, context.req.valid('json'), actor), 200)
    },
  )
  app.openapi(
    route('delete', '/v1/schedules/{id}', 'Removes an automation. Its history stays.', ScheduleRemoved, one),
    async (context) =>
      context.json(await schedules.remove(context.req.valid('param').id, context.get('speaker').actor), 200),
  )
  app.openapi(
    route('post', '/v1/schedules/{id}/run', 'Runs an automation once, now.', ScheduleFired, one),
    async (context) =>
      context.json(await schedules.run(context.req.valid('param').id, context.get('speaker').actor), 200),
  )
  app.openapi(
    route(
      'get',
      '/v1/schedules/{id}/occurrences',
      'Past runs and their outcomes, newest first.',
      z.array(OccurrenceView),
      { ...one, query: z.object({ limit: z.coerce.number().int().min(1).max(1_000).default(50) }) },
    ),
    async (context) => {
      const { id } = context.req.valid('param')
      // Also of one that was removed; an id that never was has none.
      return context.json(await schedules.history(id, context.req.valid('query').limit), 200)
    },
  )
  app.openapi(
    route(
      'get',
      '/v1/schedules/{id}/why-not',
      'Why it did not run on a day, from trigger to outcome.',
      WhyNot,
      {
        ...one,
        query: z.object({ day: z.iso.date().optional() }),
      },
    ),
    async (context) => {
      const { id } = context.req.valid('param')
      return context.json(await schedules.whyNot(id, context.req.valid('query').day), 200)
    },
  )
}
