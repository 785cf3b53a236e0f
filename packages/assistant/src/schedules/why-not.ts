/** Owns the answer to “why did it not run?”: the way from the trigger to the outcome of one day, from what was written then. */
import {
  dayOf,
  describeTrigger,
  isTimeTrigger,
  localText,
  type MailLook,
  type OccurrenceView,
  Schedule,
  schedulesCollection,
  type TraceStep,
  type WhyNot,
} from '@countersign/contract'
import { sql } from 'kysely'
import type { AssistantTransaction } from '../assistant-context.ts'
import { instantsOf } from './instants.ts'
import { mailLooks } from './new-mail/watches.ts'
import { occurrencesBetween } from './views.ts'

/** Beats are a quarter of a minute apart; what is shorter than this is no absence. */
const absenceMs = 120_000
const mostTimes = 200

export async function whyNot(
  tx: AssistantTransaction,
  id: string,
  day: string,
  usualZone: string,
): Promise<WhyNot | undefined> {
  const record = await tx.records.get(schedulesCollection, id)
  const parsed = Schedule.safeParse(record?.data)
  if (!record || !parsed.success) return undefined
  const schedule = parsed.data
  const { trigger } = schedule
  const zone = trigger.kind === 'cron' ? trigger.zone : usualZone
  const { from, until } = dayOf(day, zone)
  const now = tx.now.getTime()
  const made = Date.parse(record.createdAt)
  const occurrences = await occurrencesBetween(tx, id, from, until)
  const absences = await absencesIn(tx, from, new Date(Math.min(until.getTime(), now)))
  const times = isTimeTrigger(trigger)
    ? instantsOf(trigger, made).between(from.getTime() - 1, until.getTime() - 1, mostTimes)
    : []
  const known = new Set(occurrences.map(({ dueAt }) => Date.parse(dueAt)))
  const at = (moment: number | string) =>
    localText(typeof moment === 'number' ? moment : Date.parse(moment), zone).slice(11)

  const trace: TraceStep[] = [
    { step: 'trigger', at: null, sentence: `${describeTrigger(trigger, zone)}.` },
    {
      step: 'version',
      at: record.updatedAt,
      sentence: `Version ${schedule.version}; made ${localText(made, zone)}, last changed ${localText(Date.parse(record.updatedAt), zone)}.`,
    },
  ]
  if (schedule.status === 'paused') trace.push({ step: 'condition', at: null, sentence: 'It is paused now.' })
  if (isTimeTrigger(trigger))
    trace.push({
      step: 'time',
      at: null,
      sentence:
        times.length === 0
          ? 'The trigger names no time on this day.'
          : `The trigger names ${times.slice(0, 6).map(at).join(', ')}${times.length > 6 ? ` and ${times.length - 6} more` : ''}.`,
    })
  if (trigger.kind === 'mail') trace.push(...lookSteps((await mailLooks(tx)).get(id), zone))
  for (const absence of absences)
    trace.push({
      step: 'gateway',
      at: absence.from.toISOString(),
      sentence: `The gateway was not running from ${at(absence.from.getTime())} to ${at(absence.to.getTime())}.`,
    })
  for (const occurrence of occurrences) trace.push(...stepsOf(occurrence, at(occurrence.dueAt)))
  for (const time of times.filter((each) => !known.has(each)))
    trace.push({
      step: 'outcome',
      at: new Date(time).toISOString(),
      sentence: `${at(time)}: ${unseen(time, made, now)}`,
    })
  return {
    schedule: id,
    name: schedule.name,
    day,
    zone,
    answer: answerOf(occurrences, times, known, made, now),
    trace,
  }
}

function lookSteps(look: MailLook | undefined, zone: string): TraceStep[] {
  if (!look) return []
  const { lookedAt, problem, waiting } = look
  const when = lookedAt === null ? '' : localText(Date.parse(lookedAt), zone)
  const sentences = [
    when === '' ? 'It has not looked for new e-mails yet.' : `It last looked for new e-mails ${when}.`,
    ...(problem === null ? [] : [`That look did not work: ${problem}`]),
    ...(waiting === 0 ? [] : [`${waiting} new e-mails wait for the next look.`]),
  ]
  return sentences.map((sentence) => ({ step: 'condition', at: lookedAt, sentence }))
}

function stepsOf({ dueAt, state, because, message, cause }: OccurrenceView, time: string): TraceStep[] {
  const guard = state === 'missed' || state === 'skipped' || state === 'suppressed'
  const by = cause === 'time' ? '' : ` (${cause})`
  const steps: TraceStep[] = [
    { step: guard ? 'guard' : 'outcome', at: dueAt, sentence: `${time}${by}: ${state}. ${because}` },
  ]
  if (message !== '' && state === 'failed') steps.push({ step: 'outcome', at: dueAt, sentence: message })
  return steps
}

function unseen(time: number, made: number, now: number): string {
  if (time > now) return 'not yet.'
  return time <= made ? 'before the automation was created.' : 'not checked yet.'
}

function answerOf(
  occurrences: readonly OccurrenceView[],
  times: readonly number[],
  known: ReadonlySet<number>,
  made: number,
  now: number,
): string {
  const isIdle = ({ state }: OccurrenceView) =>
    state === 'missed' || state === 'skipped' || state === 'suppressed'
  const idle = occurrences.filter(isIdle)
  const ran = occurrences.length - idle.length
  const [first] = idle
  if (first && ran === 0) return first.because
  if (first) return `It ran ${count(ran)}, and ${count(idle.length)} it did not: ${first.because}`
  if (ran > 0) return `It ran ${count(ran)}. ${occurrences.at(-1)?.because ?? ''}`.trim()
  const open = times.find((time) => !known.has(time))
  if (open !== undefined) return `It was due and has no outcome: ${unseen(open, made, now)}`
  return 'Nothing triggered it on this day.'
}

function count(times: number): string {
  return times === 1 ? 'once' : `${times} times`
}

/** The stretches in which no scheduler was running; none before the first that ever ran. */
async function absencesIn(
  { db, operator }: AssistantTransaction,
  from: Date,
  to: Date,
): Promise<{ from: Date; to: Date }[]> {
  const { rows } = await sql<{ from_at: Date; until_at: Date }>`
    select from_at, until_at from clock_spans
    where operator_id = ${operator} and until_at >= ${from} and from_at <= ${to} order by from_at`.execute(db)
  const { rows: before } = await sql<{ first: Date | null }>`
    select min(from_at) as first from clock_spans where operator_id = ${operator}`.execute(db)
  const began = before[0]?.first?.getTime() ?? Number.POSITIVE_INFINITY
  const found: { from: Date; to: Date }[] = []
  let reached = Math.max(from.getTime(), began)
  for (const { from_at, until_at } of rows) {
    if (from_at.getTime() - reached > absenceMs) found.push({ from: new Date(reached), to: from_at })
    reached = Math.max(reached, until_at.getTime())
  }
  if (to.getTime() - reached > absenceMs) found.push({ from: new Date(reached), to })
  return found
}
