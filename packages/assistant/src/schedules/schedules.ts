/**
 * Owns schedules as the operator keeps them: made, changed, set off by hand, looked at and removed. Refuses one that
 * would never run, and two of one name.
 */
import {
  type AddSchedule,
  type ChangeSchedule,
  CountersignError,
  describeTrigger,
  editedSchedule,
  idFrom,
  isTimeTrigger,
  type JsonObject,
  type Label,
  localText,
  type OccurrenceView,
  type Requester,
  type RunId,
  readTrigger,
  Schedule,
  type ScheduleChanged,
  type ScheduleFired,
  type SchedulePreview,
  type ScheduleRemoved,
  type ScheduleServices,
  ScheduleSettings,
  type ScheduleView,
  type StoredRecord,
  schedulesCollection,
  type Trigger,
  triggerExamples,
  type WhyNot,
} from '@countersign/contract'
import type { Actor } from '@countersign/kernel'
import { z } from 'zod'
import type { Hand, House } from '../hand.ts'
import type { Clockwork, Fired } from './clockwork.ts'
import { historyOf, listSchedules, nextTimes, occurrenceById, shownTimes, viewsOf } from './views.ts'
import { whyNot } from './why-not.ts'

export interface SchedulesOptions {
  readonly house: House
  readonly clockwork: Pick<Clockwork, 'fire' | 'nudge'>
}

export type Schedules = ReturnType<typeof createSchedules>

const listThem = 'List them with `countersign automation list`.'

export function createSchedules({ house, clockwork }: SchedulesOptions) {
  const { operator, records, zone } = house

  function preview(added: AddSchedule, now: Date): SchedulePreview {
    const settings = settingsOf(added, now, zone)
    return {
      settings,
      words: describeTrigger(settings.trigger, zone),
      next: nextTimes(settings.trigger, now.getTime(), now.getTime(), shownTimes),
    }
  }

  async function add(added: AddSchedule, actor: Actor): Promise<ScheduleChanged> {
    const { value: schedule, ledger } = await records.change(operator, async (hand) => {
      const settings = settingsOf(added, hand.now, zone)
      await check(hand, settings, null)
      const creator: Requester = { kind: 'operator', id: actor.id }
      const kept: Schedule = { ...settings, version: 1, session: idFrom('ses', house.uuid()), creator }
      const id = `sched_${house.uuid().replaceAll('-', '')}`
      const record = await hand.records.insert(schedulesCollection, id, dataOf(kept), null)
      return changed(hand, 'schedule.added', record, actor)
    })
    return { schedule, ledger }
  }

  async function change(id: string, wanted: ChangeSchedule, actor: Actor): Promise<ScheduleChanged> {
    const { value: schedule, ledger } = await records.change(operator, async (hand) => {
      const { record, schedule: before } = await needed(hand, id)
      const trigger = wanted.trigger && begun(wanted.trigger, hand.now)
      const after = editedSchedule(
        before,
        { ...wanted, ...(trigger ? { trigger } : {}) },
        idFrom('ses', house.uuid()),
      )
      await check(hand, after, id, wanted.trigger !== undefined)
      const kept = await hand.records.replace(
        schedulesCollection,
        id,
        record.version,
        dataOf(after),
        record.label,
      )
      const type = onlyStatus(wanted)
        ? after.status === 'paused'
          ? 'schedule.paused'
          : 'schedule.resumed'
        : 'schedule.changed'
      return changed(hand, type, kept, actor)
    })
    return { schedule, ledger }
  }

  /** Tells the ledger and the clockwork, and shows what is there now. */
  async function changed(
    hand: Hand,
    type: string,
    record: StoredRecord,
    actor: Actor,
  ): Promise<ScheduleView> {
    const [view] = await viewsOf(hand, [record], zone)
    if (!view) throw new Error(`${record.id} cannot be read`)
    const { id, name, version, words } = view
    hand.record({ type, actor, data: { schedule: id, name, version, trigger: words } })
    hand.afterCommit(() => clockwork.nudge())
    return view
  }

  async function remove(id: string, actor: Actor): Promise<ScheduleRemoved> {
    const { value: name, ledger } = await records.change(operator, async (hand) => {
      const { record, schedule } = await needed(hand, id)
      await hand.records.remove(schedulesCollection, id, record.version)
      hand.record({ type: 'schedule.removed', actor, data: { schedule: id, name: schedule.name } })
      return schedule.name
    })
    return { id, name, ledger }
  }

  async function run(id: string, actor: Actor): Promise<ScheduleFired> {
    const { value: occurrence, ledger } = await records.change(operator, async (hand) => {
      await needed(hand, id)
      hand.record({ type: 'schedule.asked', actor, data: { schedule: id } })
      return shown(hand, await clockwork.fire(hand, id, { key: `manual/${house.uuid()}`, cause: 'manual' }))
    })
    if (!occurrence) throw gone(id)
    return { occurrence, ledger }
  }

  const read = <T>(work: (hand: Hand) => Promise<T>) =>
    records.read(operator, (unit) => work({ ...unit, now: house.clock() }))

  return {
    preview: (added: AddSchedule) => preview(added, house.clock()),
    add,
    change,
    remove,
    run,
    list: () => read((hand) => listSchedules(hand, zone)),
    get: (id: string) =>
      read(async (hand) => {
        const { record } = await needed(hand, id)
        const [view] = await viewsOf(hand, [record], zone)
        if (!view) throw gone(id)
        return view
      }),
    history: (id: string, limit: number): Promise<OccurrenceView[]> =>
      read((hand) => historyOf(hand, id, limit)),
    whyNot: (id: string, day?: string): Promise<WhyNot> =>
      read(async (hand) => {
        const asked = day ?? localText(hand.now.getTime(), zone).slice(0, 10)
        const found = await whyNot(hand, id, asked, zone)
        if (!found) throw gone(id)
        return found
      }),
    /** For the tools, in the transaction of their call. */
    desk: (hand: Hand, cause?: { readonly run: RunId }): ScheduleServices => ({
      zone,
      upcoming: (trigger: Trigger, count: number, from = hand.now) =>
        nextTimes(trigger, from.getTime(), from.getTime(), count),
      history: (schedule: string, limit: number) => historyOf(hand, schedule, limit),
      changed: () => hand.afterCommit(() => clockwork.nudge()),
      async fire(schedule: string, label: Label) {
        const asked = {
          key: `manual/${house.uuid()}`,
          cause: 'manual',
          label,
          ...(cause ? { run: cause.run } : {}),
        } as const
        return shown(hand, await clockwork.fire(hand, schedule, asked))
      },
    }),
    /** What a webhook of this schedule is signed with; undefined where it takes none. */
    hook: (id: string): Promise<{ readonly secret: string; readonly name: string } | undefined> =>
      read(async (hand) => {
        const parsed = Schedule.safeParse((await hand.records.get(schedulesCollection, id))?.data)
        if (!parsed.success || parsed.data.trigger.kind !== 'webhook') return undefined
        return { secret: parsed.data.trigger.secret, name: parsed.data.name }
      }),
    /** A delivery whose signature was found good. Its words are nobody's whom the operator knows. */
    async deliver(
      id: string,
      delivery: { readonly id: string; readonly words: string },
    ): Promise<Fired | undefined> {
      const { value } = await records.change(operator, async (hand) => {
        const { schedule } = await needed(hand, id)
        const label: Label = {
          integrity: 'untrusted',
          confidentiality: 'private',
          sources: [`webhook:${schedule.name}`],
        }
        return clockwork.fire(hand, id, {
          key: `hook/${delivery.id}`,
          cause: 'webhook',
          words: delivery.words,
          label,
        })
      })
      return value
    },
  }
}

async function shown(hand: Hand, fired: Fired | undefined): Promise<OccurrenceView | undefined> {
  return fired && occurrenceById(hand, fired.occurrence)
}

async function needed(hand: Hand, id: string): Promise<{ record: StoredRecord; schedule: Schedule }> {
  const record = await hand.records.get(schedulesCollection, id)
  const parsed = Schedule.safeParse(record?.data)
  if (!record || !parsed.success) throw gone(id)
  return { record, schedule: parsed.data }
}

/** What was asked for, whole: the words of a sentence where a part is not given by itself. */
function settingsOf({ sentence, ...parts }: AddSchedule, now: Date, zone: string): ScheduleSettings {
  const read =
    parts.trigger === undefined && sentence !== undefined ? readTrigger(sentence, { now, zone }) : undefined
  if (read?.kind === 'unclear')
    throw new CountersignError('usage', read.reason, { next: `Say it as in: ${read.examples.join('; ')}.` })
  const trigger = parts.trigger ?? read?.trigger
  if (trigger === undefined)
    throw new CountersignError('usage', 'Nothing says when it is to happen.', {
      next: `Begin with the time, as in: ${triggerExamples.join('; ')}.`,
    })
  const text = read?.rest ?? sentence ?? ''
  if (parts.does === undefined && text === '')
    throw new CountersignError('usage', 'Nothing says what is to be done.', {
      next: 'Write it after the time: countersign automation add "every weekday 8:00 send me a brief".',
    })
  const parsed = ScheduleSettings.safeParse({
    ...parts,
    name: parts.name ?? nameFrom(text === '' ? workWords(parts.does) : text),
    trigger: begun(trigger, now),
    does: parts.does ?? { kind: 'prompt', text },
  })
  if (!parsed.success) throw new CountersignError('usage', z.prettifyError(parsed.error))
  return parsed.data
}

/** An interval counts from when it was asked for. */
function begun(trigger: Trigger, now: Date): Trigger {
  return trigger.kind === 'every' && trigger.from === undefined
    ? { ...trigger, from: now.toISOString() }
    : trigger
}

function workWords(does: AddSchedule['does']): string {
  if (does?.kind === 'prompt') return does.text
  return does?.kind === 'plan' ? `plan ${does.plan}` : 'feed'
}

function nameFrom(text: string): string {
  const first = text.split('\n', 1)[0]?.trim() ?? ''
  return first.length > 60 ? `${first.slice(0, 59).toWellFormed()}…` : first
}

async function check(
  hand: Hand,
  settings: ScheduleSettings,
  id: string | null,
  isTimed = true,
): Promise<void> {
  const now = hand.now.getTime()
  if (isTimed && isTimeTrigger(settings.trigger) && nextTimes(settings.trigger, now, now, 1).length === 0)
    throw new CountersignError('usage', 'Its time is over, so it would never run.', {
      next: 'Name a time that is still to come.',
    })
  const wanted = settings.name.toLowerCase()
  const { records } = await hand.records.list(schedulesCollection, { limit: 1_000 })
  const isTaken = ({ id: other, data: { name } }: StoredRecord) =>
    other !== id && typeof name === 'string' && name.toLowerCase() === wanted
  if (records.some(isTaken))
    throw new CountersignError('conflict', `There is an automation “${settings.name}” already.`, {
      next: 'Give this one another name with --name, or change that one with `countersign automation set`.',
    })
  for (const [collection, wantedId] of [
    ['goals', settings.goal],
    ['plans', settings.does.kind === 'plan' ? settings.does.plan : null],
  ] as const) {
    if (wantedId !== null && !(await hand.records.get(collection, wantedId)))
      throw new CountersignError(
        'not_found',
        `There is nothing called ${wantedId} among the ${collection}.`,
        {
          next: `List them with \`countersign ${collection.slice(0, -1)} list\`.`,
        },
      )
  }
}

function onlyStatus(change: ChangeSchedule): boolean {
  return Object.keys(change).join() === 'status'
}

function dataOf(schedule: Schedule): JsonObject {
  return JSON.parse(JSON.stringify(schedule)) as JsonObject
}

function gone(id: string): CountersignError {
  return new CountersignError('not_found', `There is no automation ${id}.`, { next: listThem })
}
