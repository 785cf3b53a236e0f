/** Owns the table of the routes of schedules. */
import { z } from 'zod'
import {
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
} from '../api-schedules.ts'
import { define } from './define.ts'

const one = { params: z.object({ id: z.string().max(100) }) }

export const scheduleRoutes = {
  schedules: define(
    'get',
    '/v1/schedules',
    'Automations, with their next run and last outcome.',
    z.array(ScheduleView),
  ),
  previewSchedule: define(
    'post',
    '/v1/schedules/preview',
    'Shows how a sentence is understood. Nothing is saved.',
    SchedulePreview,
    { body: AddSchedule },
  ),
  addSchedule: define(
    'post',
    '/v1/schedules',
    'Creates an automation from a sentence or from its parts.',
    ScheduleChanged,
    { body: AddSchedule },
  ),
  schedule: define('get', '/v1/schedules/{id}', 'One automation.', ScheduleView, one),
  changeSchedule: define(
    'put',
    '/v1/schedules/{id}',
    'Changes the given fields of an automation. Changed work is a new version without the grants of the old one.',
    ScheduleChanged,
    { ...one, body: ChangeSchedule },
  ),
  removeSchedule: define(
    'delete',
    '/v1/schedules/{id}',
    'Removes an automation. Its history stays.',
    ScheduleRemoved,
    one,
  ),
  runSchedule: define('post', '/v1/schedules/{id}/run', 'Runs an automation once, now.', ScheduleFired, one),
  lookForMail: define(
    'post',
    '/v1/schedules/{id}/look',
    'Looks for new e-mails that start an automation, now.',
    ScheduleLooked,
    one,
  ),
  occurrences: define(
    'get',
    '/v1/schedules/{id}/occurrences',
    'Past runs and their outcomes, newest first.',
    z.array(OccurrenceView),
    { ...one, query: z.object({ limit: z.coerce.number().int().min(1).max(1_000).default(50) }) },
  ),
  whyNot: define(
    'get',
    '/v1/schedules/{id}/why-not',
    'Why it did not run on a day, from trigger to outcome.',
    WhyNot,
    {
      ...one,
      query: z.object({ day: z.iso.date().optional() }),
    },
  ),
}
