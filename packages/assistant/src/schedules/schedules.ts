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
  mailAccountsCollection,
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
  shortened,
  type Trigger,
  triggerExamples,
  usualOverlap,
  type WhyNot,
} from '@countersign/contract'
import type { Actor } from '@countersign/kernel'
import { z } from 'zod'
import type { AssistantContext, AssistantTransaction } from '../assistant-context.ts'
import type { FiredOccurrence, Scheduler } from './scheduler.ts'
import { historyOf, listSchedules, nextTimes, occurrenceById, shownTimes, viewsOf } from './views.ts'
import { whyNot } from './why-not.ts'

export interface SchedulesOptions {
  readonly context: AssistantContext
  readonly scheduler: Pick<Scheduler, 'fire' | 'nudge'>
}

export type Schedules = ReturnType<typeof createSchedules>

const listThem = 'List them with `countersign automation list`.'

export function createSchedules({ context, scheduler }: SchedulesOptions) {
  const { operator, records, zone } = context

  function preview(added: AddSchedule, now: Date): SchedulePreview {
    const settings = settingsOf(added, now, zone)
    return {
      settings,
      words: describeTrigger(settings.trigger, zone),
      next: nextTimes(settings.trigger, now.getTime(), now.getTime(), shownTimes),
    }
  }

  async function add(added: AddSchedule, actor: Actor): Promise<ScheduleChanged> {
    const { value: schedule, ledger } = await records.change(operator, async (tx) => {
      const settings = settingsOf(added, tx.now, zone)
      await check(tx, settings, null)
      const creator: Requester = { kind: 'operator', id: actor.id }
      const session = idFrom('ses', context.uuid())
      const kept: Schedule = { ...settings, version: 1, session, creator, origins: [] }
      const id = `sched_${context.uuid().replaceAll('-', '')}`
      const record = await tx.records.insert(schedulesCollection, id, dataOf(kept), null)
      return changed(tx, 'schedule.added', record, actor)
    })
    return { schedule, ledger }
  }

  async function change(id: string, wanted: ChangeSchedule, actor: Actor): Promise<ScheduleChanged> {
    const { value: schedule, ledger } = await records.change(operator, async (tx) => {
      const { record, schedule: before } = await needed(tx, id)
      const trigger = wanted.trigger && begun(wanted.trigger, tx.now)
      const after = editedSchedule(
        before,
        { ...wanted, ...(trigger ? { trigger } : {}) },
        idFrom('ses', context.uuid()),
      )
      await check(tx, after, id, wanted.trigger !== undefined)
      const kept = await tx.records.replace(
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
      return changed(tx, type, kept, actor)
    })
    return { schedule, ledger }
  }

  /** Everybody who looks at the list sees it at once, and the scheduler reckons anew. */
  function tell(tx: Pick<AssistantTransaction, 'emit' | 'afterCommit'>): void {
    tx.emit({ type: 'schedules.changed' })
    tx.afterCommit(() => scheduler.nudge())
  }

  /** Tells the ledger and the scheduler, and shows what is there now. */
  async function changed(
    tx: AssistantTransaction,
    type: string,
    record: StoredRecord,
    actor: Actor,
  ): Promise<ScheduleView> {
    const [view] = await viewsOf(tx, [record], zone)
    if (!view) throw new Error(`${record.id} cannot be read`)
    const { id, name, version, words } = view
    tx.record({ type, actor, data: { schedule: id, name, version, trigger: words } })
    tell(tx)
    return view
  }

  async function remove(id: string, actor: Actor): Promise<ScheduleRemoved> {
    const { value: name, ledger } = await records.change(operator, async (tx) => {
      const { record, schedule } = await needed(tx, id)
      await tx.records.remove(schedulesCollection, id, record.version)
      tx.record({ type: 'schedule.removed', actor, data: { schedule: id, name: schedule.name } })
      tell(tx)
      return schedule.name
    })
    return { id, name, ledger }
  }

  async function run(id: string, actor: Actor): Promise<ScheduleFired> {
    const { value: occurrence, ledger } = await records.change(operator, async (tx) => {
      await needed(tx, id)
      tx.record({ type: 'schedule.asked', actor, data: { schedule: id } })
      return shown(tx, await scheduler.fire(tx, id, { key: `manual/${context.uuid()}`, cause: 'manual' }))
    })
    if (!occurrence) throw gone(id)
    return { occurrence, ledger }
  }

  const read = <T>(work: (tx: AssistantTransaction) => Promise<T>) =>
    records.read(operator, (unit) => work({ ...unit, now: context.clock() }))

  return {
    preview: (added: AddSchedule) => preview(added, context.clock()),
    add,
    change,
    remove,
    run,
    list: () => read((tx) => listSchedules(tx, zone)),
    get: (id: string) =>
      read(async (tx) => {
        const { record } = await needed(tx, id)
        const [view] = await viewsOf(tx, [record], zone)
        if (!view) throw gone(id)
        return view
      }),
    history: (id: string, limit: number): Promise<OccurrenceView[]> => read((tx) => historyOf(tx, id, limit)),
    whyNot: (id: string, day?: string): Promise<WhyNot> =>
      read(async (tx) => {
        const asked = day ?? localText(tx.now.getTime(), zone).slice(0, 10)
        const found = await whyNot(tx, id, asked, zone)
        if (!found) throw gone(id)
        return found
      }),
    /** For the tools, in the transaction of their call. */
    toolServices: (tx: AssistantTransaction, cause?: { readonly run: RunId }): ScheduleServices => ({
      zone,
      upcoming: (trigger: Trigger, count: number, from = tx.now) =>
        nextTimes(trigger, from.getTime(), from.getTime(), count),
      history: (schedule: string, limit: number) => historyOf(tx, schedule, limit),
      changed: () => tell(tx),
      async fire(schedule: string, label: Label) {
        const asked = {
          key: `manual/${context.uuid()}`,
          cause: 'manual',
          label,
          ...(cause ? { run: cause.run } : {}),
        } as const
        return shown(tx, await scheduler.fire(tx, schedule, asked))
      },
    }),
    /** What a webhook of this schedule is signed with; undefined where it takes none. */
    hook: (id: string): Promise<{ readonly secret: string; readonly name: string } | undefined> =>
      read(async (tx) => {
        const parsed = Schedule.safeParse((await tx.records.get(schedulesCollection, id))?.data)
        if (!parsed.success || parsed.data.trigger.kind !== 'webhook') return undefined
        return { secret: parsed.data.trigger.secret, name: parsed.data.name }
      }),
    /** A delivery whose signature was found good. Its words are nobody's whom the operator knows. */
    async deliver(
      id: string,
      delivery: { readonly id: string; readonly words: string },
    ): Promise<FiredOccurrence | undefined> {
      const { value } = await records.change(operator, async (tx) => {
        const { schedule } = await needed(tx, id)
        const label: Label = {
          integrity: 'untrusted',
          confidentiality: 'private',
          sources: [`webhook:${schedule.name}`],
        }
        return scheduler.fire(tx, id, {
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

async function shown(
  tx: AssistantTransaction,
  fired: FiredOccurrence | undefined,
): Promise<OccurrenceView | undefined> {
  return fired && occurrenceById(tx, fired.occurrence)
}

async function needed(
  tx: AssistantTransaction,
  id: string,
): Promise<{ record: StoredRecord; schedule: Schedule }> {
  const record = await tx.records.get(schedulesCollection, id)
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
    throw new CountersignError('usage', 'The time is missing.', {
      next: `Begin with the time, for example: ${triggerExamples.join('; ')}.`,
    })
  const text = read?.rest ?? sentence ?? ''
  if (parts.does === undefined && text === '')
    throw new CountersignError('usage', 'The task is missing.', {
      next: 'Write it after the time: countersign automation add "every weekday 8:00 send me a brief".',
    })
  const parsed = ScheduleSettings.safeParse({
    ...usualOverlap(trigger),
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
  return shortened(first, 60)
}

async function check(
  tx: AssistantTransaction,
  settings: ScheduleSettings,
  id: string | null,
  isTimed = true,
): Promise<void> {
  const now = tx.now.getTime()
  if (isTimed && isTimeTrigger(settings.trigger) && nextTimes(settings.trigger, now, now, 1).length === 0)
    throw new CountersignError('usage', 'The time is in the past, so it would never run.', {
      next: 'Give a time in the future.',
    })
  const { trigger } = settings
  if (trigger.kind === 'mail' && !(await tx.records.get(mailAccountsCollection, trigger.account)))
    throw new CountersignError('not_found', `There is no e-mail account ${trigger.account}.`, {
      next: 'List them with `countersign mail list`, or add one with `countersign mail add`.',
    })
  const wanted = settings.name.toLowerCase()
  const { records } = await tx.records.list(schedulesCollection, { limit: 1_000 })
  const isTaken = ({ id: other, data: { name } }: StoredRecord) =>
    other !== id && typeof name === 'string' && name.toLowerCase() === wanted
  if (records.some(isTaken))
    throw new CountersignError('conflict', `The automation “${settings.name}” already exists.`, {
      next: 'Give this one another name with --name, or change that one with `countersign automation set`.',
    })
  for (const [collection, wantedId] of [
    ['goals', settings.goal],
    ['plans', settings.does.kind === 'plan' ? settings.does.plan : null],
  ] as const) {
    if (wantedId !== null && !(await tx.records.get(collection, wantedId)))
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
