/**
 * Owns what the tools for schedules share: finding one, reading its trigger from words, and telling of it. Refuses a
 * trigger that is not clear, and a time that is over.
 */
import {
  type ChangeSchedule,
  describeTrigger,
  type Effect,
  idFrom,
  isTimeTrigger,
  type JsonObject,
  localText,
  MissedPolicy,
  mailAccountsCollection,
  OverlapPolicy,
  readTrigger,
  Schedule,
  type ScheduledWork,
  type ScheduleServices,
  ScheduleSettings,
  type StoredRecord,
  schedulesCollection,
  Tier,
  type Trigger,
  uniqueOrigins,
  usualOverlap,
  type WorkOrigin,
} from '@countersign/contract'
import { z } from 'zod'
import { allGoals, ownGoal, reachProblem } from '../goals/goal-lookup.ts'
import type { RecordToolContext } from '../record-tool-context.ts'
import { newId, problemsOf, textIn } from '../records/collection.ts'
import { commandText, nameText } from '../text.ts'

export const category = 'scheduler'

export const taskId = nameText(100)

const when = nameText(300).describe(
  'Words ("every weekday 8:00", "every 15 minutes", "tomorrow at 14:00", "when inbox/a.pdf changes", "when an e-mail arrives in work from ana@example.org"), 5-field cron, or a moment with its zone',
)

/** What a model may say of one. */
export const parts = {
  name: nameText(100),
  schedule: when,
  prompt: commandText(10_000).describe('What the agent is told each time'),
  planId: nameText(100).describe('A plan to carry out instead of a prompt'),
  timezone: nameText(60).describe('As Europe/Zagreb; the operator’s own if left out'),
  agent: nameText(100),
  goalId: nameText(100),
  missed: MissedPolicy.describe(
    'Times that passed while the computer was off: none, the last, or the last few',
  ),
  overlap: OverlapPolicy.describe('While the run before has not ended'),
  success: commandText(1_000).describe('What counts as done'),
  tierMax: Tier,
  maxCostUsd: z.number().min(0).max(1_000).describe('For one run'),
}

export interface ScheduleRequest {
  readonly name?: string
  readonly schedule?: string
  readonly prompt?: string
  readonly planId?: string
  readonly timezone?: string
  readonly agent?: string
  readonly goalId?: string
  readonly missed?: MissedPolicy
  readonly overlap?: OverlapPolicy
  readonly success?: string
  readonly tierMax?: Tier
  readonly maxCostUsd?: number
  readonly status?: 'active' | 'paused'
}

export type ParseResult<T> =
  | { readonly kind: 'ok'; readonly value: T }
  | { readonly kind: 'invalid'; readonly reason: string }

export function clockOf({ assistant }: RecordToolContext): ScheduleServices {
  return assistant.schedules
}

/** The settings that the words ask for. */
export async function changeOf(
  wanted: ScheduleRequest,
  context: RecordToolContext,
): Promise<ParseResult<ChangeSchedule>> {
  const { schedule, timezone, prompt, planId, goalId, ...rest } = wanted
  if (schedule === undefined && timezone !== undefined)
    return { kind: 'invalid', reason: 'A time zone goes with a schedule; say the schedule again.' }
  if (prompt !== undefined && planId !== undefined)
    return { kind: 'invalid', reason: 'Give a prompt or a plan, not both.' }
  const trigger = schedule === undefined ? undefined : triggerOf(schedule, timezone, context)
  if (trigger?.kind === 'invalid') return trigger
  const account = trigger?.value.kind === 'mail' ? trigger.value.account : undefined
  if (account !== undefined && !(await context.records.get(mailAccountsCollection, account)))
    return {
      kind: 'invalid',
      reason: `There is no e-mail account ${account}. The operator sets one up with \`countersign mail add\`.`,
    }
  for (const [collection, id] of [
    ['plans', planId],
    ['goals', goalId],
  ] as const) {
    if (id !== undefined && !(await context.records.get(collection, id)))
      return {
        kind: 'invalid',
        reason: `There is nothing called ${id} among the ${collection}. Look its id up.`,
      }
  }
  return {
    kind: 'ok',
    value: {
      ...rest,
      ...(trigger ? { trigger: trigger.value } : {}),
      ...(prompt === undefined && planId === undefined ? {} : { does: workOf(prompt, planId) }),
      ...(goalId === undefined ? {} : { goal: goalId }),
    },
  }
}

export async function newSchedule(
  wanted: ScheduleRequest,
  context: RecordToolContext,
): Promise<ParseResult<Schedule>> {
  if (wanted.prompt === undefined && wanted.planId === undefined)
    return { kind: 'invalid', reason: 'Say what to do each time: a prompt, or the id of a plan.' }
  const change = await changeOf(wanted, context)
  if (change.kind === 'invalid') return change
  const settings = ScheduleSettings.safeParse({ ...usualOverlap(change.value.trigger), ...change.value })
  if (!settings.success) return { kind: 'invalid', reason: problemsOf(settings.error) }
  const taken = await named(settings.data.name, context)
  if (taken)
    return {
      kind: 'invalid',
      reason: `There is a scheduled task “${settings.data.name}” already: ${taken.id}.`,
    }
  const creator = context.cause?.requester ?? { kind: 'operator' as const, id: 'operator' }
  const kept = { ...settings.data, version: 1, session: idFrom('ses', context.uuid()), creator, origins: [] }
  const own = context.cause?.agent
  return {
    kind: 'ok',
    value: {
      ...kept,
      goal: kept.goal ?? ownGoal(context) ?? null,
      agent: wanted.agent === undefined && own !== undefined && !everyTool.includes(own) ? own : kept.agent,
    },
  }
}

/** What a scheduled task may be given to by whoever has no tools but these. */
const everyTool: readonly string[] = ['assistant', 'goal', 'plan']

/** Whoever has a goal or few tools sets nothing going with another goal or with more, nor changes what others do. */
export async function leavingProblem(
  context: RecordToolContext,
  schedules: readonly Pick<Schedule, 'goal' | 'agent'>[],
): Promise<string | undefined> {
  const own = { goal: ownGoal(context), agent: context.cause?.agent }
  const goals = own.goal ? await allGoals(context) : []
  for (const { goal, agent } of schedules) {
    if (own.agent !== undefined && !everyTool.includes(own.agent) && agent !== own.agent)
      return `A scheduled task of yours is done by you, not by ${agent}. Leave agent out, or tell the operator what should be done.`
    if (!own.goal) continue
    if (goal === null)
      return 'That scheduled task is not done for the goal of this work. Tell the operator what should change there.'
    const problem = reachProblem(context, goal, goals)
    if (problem !== undefined) return problem
  }
  return undefined
}

async function named(name: string, context: RecordToolContext): Promise<StoredRecord | undefined> {
  const { records } = await context.records.list(schedulesCollection, { limit: 1_000 })
  return records.find(({ data }) => textIn(data, 'name').toLowerCase() === name.toLowerCase())
}

export async function findScheduledTask(
  id: string,
  context: RecordToolContext,
): Promise<{ readonly record: StoredRecord; readonly schedule: Schedule } | undefined> {
  const record = await context.records.get(schedulesCollection, id)
  const parsed = Schedule.safeParse(record?.data)
  return record && parsed.success ? { record, schedule: parsed.data } : undefined
}

export function noTask(id: string): string {
  return `There is no scheduled task ${id}. Look its id up with list_scheduled_tasks.`
}

export function newTaskId(context: RecordToolContext): string {
  return newId('sched', context.uuid())
}

/** A list that only grows has an end. */
export const mostOrigins = 100
export const tooManyOrigins = `This scheduled task was changed from ${mostOrigins} conversations. Create another one in its place.`

/** Whoever had a part in it is held to what forbids them, also in what it does. */
export async function originsNow(
  before: readonly WorkOrigin[],
  { assistant }: RecordToolContext,
): Promise<WorkOrigin[]> {
  return uniqueOrigins([...before, ...(await assistant.origins())])
}

export function scheduleData(schedule: Schedule): JsonObject {
  return JSON.parse(JSON.stringify(schedule)) as JsonObject
}

/** For the card: when it runs in words, the next three times, and what it does with nobody there. */
export function cardEffects(schedule: Schedule, context: RecordToolContext): Effect[] {
  const words = describeTrigger(schedule.trigger, clockOf(context).zone)
  const next = nextWords(schedule, context)
  const times = schedule.status === 'paused' ? '; paused' : next === '' ? '' : `; next ${next}`
  return [
    writing(`the scheduled task “${schedule.name}”: ${words}${times}`),
    writing(`each time, with nobody there: ${workWords(schedule.does)}`),
  ]
}

export function writing(object: string): Effect {
  return { verb: 'write', object, scope: 'inside', reversible: true, outward: false, leaves: [] }
}

export function nextWords(schedule: Schedule, context: RecordToolContext): string {
  const { upcoming, zone } = clockOf(context)
  const at = schedule.trigger.kind === 'cron' ? schedule.trigger.zone : zone
  return upcoming(schedule.trigger, 3, context.asked)
    .map((moment) => localText(Date.parse(moment), at))
    .join(', ')
}

/** A line for a model. */
export function scheduleSummary(id: string, schedule: Schedule, context: RecordToolContext): JsonObject {
  const next = schedule.status === 'active' ? clockOf(context).upcoming(schedule.trigger, 3) : []
  return {
    id,
    name: schedule.name,
    schedule: describeTrigger(schedule.trigger, clockOf(context).zone),
    does: workWords(schedule.does),
    agent: schedule.agent,
    ...(schedule.goal === null ? {} : { goal: schedule.goal }),
    status: schedule.status,
    missed: schedule.missed,
    overlap: schedule.overlap,
    maxCostUsd: schedule.maxCostUsd,
    next: [...next],
  }
}

export function workWords(does: ScheduledWork): string {
  switch (does.kind) {
    case 'prompt':
      return does.text
    case 'plan':
      return `carry out the plan ${does.plan}`
    case 'feed':
      return 'prepare the feed'
  }
}

function workOf(prompt: string | undefined, planId: string | undefined): ScheduledWork {
  return planId === undefined ? { kind: 'prompt', text: prompt ?? '' } : { kind: 'plan', plan: planId }
}

function triggerOf(
  words: string,
  timezone: string | undefined,
  context: RecordToolContext,
): ParseResult<Trigger> {
  const zone = timezone ?? clockOf(context).zone
  const read = readTrigger(words, { now: context.asked, zone })
  if (read.kind === 'unclear')
    return { kind: 'invalid', reason: `${read.reason} Say it as in: ${read.examples.join('; ')}.` }
  if (read.rest !== '')
    return {
      kind: 'invalid',
      reason: `The schedule says more than when: “${read.rest}”. Put that into the prompt.`,
    }
  const { trigger } = read
  if (isTimeTrigger(trigger) && trigger.kind === 'once' && Date.parse(trigger.at) <= context.now.getTime())
    return { kind: 'invalid', reason: 'That time is over. Name one that is still to come.' }
  return { kind: 'ok', value: trigger }
}
