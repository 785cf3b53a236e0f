/** Automations of the scripted gateway: a list that a test fills, and what was asked of it. */
import {
  AddSchedule,
  ChangeSchedule,
  CountersignError,
  describeTrigger,
  editedSchedule,
  idFrom,
  type OccurrenceView,
  readTrigger,
  ScheduleSettings,
  type ScheduleView,
  type WhyNot,
} from '@countersign/contract'
import type { SeenRequest } from './models.ts'

export interface FakeAutomations {
  readonly asked: SeenRequest[]
  schedules: ScheduleView[]
  occurrences: OccurrenceView[]
  whyNot: Partial<WhyNot>
  /** Undefined when the request is about something else. */
  answer(request: SeenRequest): unknown
}

const at = '2026-08-01T11:00:00.000Z'
const zone = 'Europe/Zagreb'
const next = ['2026-08-03T06:00:00.000Z', '2026-08-04T06:00:00.000Z', '2026-08-05T06:00:00.000Z']

export function fakeAutomations(): FakeAutomations {
  const fake: FakeAutomations = {
    asked: [],
    schedules: [],
    occurrences: [],
    whyNot: {},
    answer(request) {
      const [, , noun, ref = '', verb = ''] = request.path.split('/').map(decodeURIComponent)
      if (noun !== 'schedules') return undefined
      fake.asked.push(request)
      if (ref === 'preview') return preview(request.body)
      return ref === '' ? all(request) : one(request, ref, verb)
    },
  }

  function preview(body: unknown) {
    const { sentence, ...parts } = AddSchedule.parse(body)
    const read = parts.trigger ? undefined : readTrigger(sentence ?? '', { now: new Date(at), zone })
    if (read?.kind === 'unclear')
      throw new CountersignError('usage', read.reason, { next: read.examples.join('; ') })
    const settings = ScheduleSettings.parse({
      does: { kind: 'prompt', text: read?.rest ?? sentence ?? '' },
      name: read?.rest ?? sentence ?? (parts.does?.kind === 'prompt' ? parts.does.text : 'feed'),
      trigger: read?.trigger,
      ...parts,
    })
    return { settings, words: describeTrigger(settings.trigger, zone), next }
  }

  function all({ method, body }: SeenRequest): unknown {
    if (method === 'GET') return fake.schedules
    const { settings } = preview(body)
    const schedule = scheduleView(settings.name, settings)
    fake.schedules.push(schedule)
    return { schedule, ledger: 7 }
  }

  function one({ method, body }: SeenRequest, ref: string, verb: string): unknown {
    const found = fake.schedules.find(({ id }) => id === ref)
    if (!found) throw new CountersignError('not_found', `There is no automation ${ref}.`)
    if (verb === 'occurrences') return fake.occurrences
    if (verb === 'run') return { occurrence: fake.occurrences[0], ledger: 8 }
    if (verb === 'why-not')
      return {
        schedule: found.id,
        name: found.name,
        day: '2026-08-01',
        zone,
        answer: '',
        trace: [],
        ...fake.whyNot,
      }
    if (method === 'GET') return found
    if (method === 'DELETE') {
      fake.schedules = fake.schedules.filter((each) => each !== found)
      return { id: found.id, name: found.name, ledger: 9 }
    }
    const after = editedSchedule(found, ChangeSchedule.parse(body), idFrom('ses', '2'.repeat(32)))
    const schedule = { ...found, ...after }
    fake.schedules = fake.schedules.map((each) => (each === found ? schedule : each))
    return { schedule, ledger: 8 }
  }
  return fake
}

export function scheduleView(name: string, parts: Partial<ScheduleView> = {}): ScheduleView {
  const trigger = parts.trigger ?? { kind: 'cron', expression: '0 8 * * 1-5', zone }
  const settings = ScheduleSettings.parse({
    name,
    trigger,
    does: { kind: 'prompt', text: 'Send me a brief' },
  })
  return {
    id: `sched_${name.toLowerCase().replaceAll(/\W+/g, '_')}`,
    ...settings,
    version: 1,
    session: idFrom('ses', '1'.repeat(32)),
    creator: { kind: 'operator', id: 'laptop' },
    origins: [],
    words: describeTrigger(trigger, zone),
    next,
    last: [],
    averageCostUsd: null,
    look: null,
    label: null,
    createdAt: at,
    updatedAt: at,
    ...parts,
  }
}

export function occurrenceView(parts: Partial<OccurrenceView> = {}): OccurrenceView {
  return {
    id: 'occ_1',
    schedule: 'sched_brief',
    version: 1,
    cause: 'time',
    dueAt: at,
    state: 'succeeded',
    reason: 'run',
    because: 'It was done.',
    session: null,
    run: null,
    endedAt: at,
    message: '',
    costUsd: 0.02,
    ...parts,
  }
}
