/** Owns how schedules and their occurrences are shown. It reads, and changes nothing. */
import {
  describeTrigger,
  isTimeTrigger,
  nanosPerDollar,
  type OccurrenceReason,
  type OccurrenceState,
  type OccurrenceView,
  type ParkReason,
  Schedule,
  type ScheduleView,
  type StoredRecord,
  schedulesCollection,
  type Trigger,
} from '@countersign/contract'
import { type RawBuilder, sql } from 'kysely'
import type { AssistantTransaction } from '../assistant-context.ts'
import { upcoming } from './instants.ts'
import { mailLooks } from './new-mail/watches.ts'
import { messageKey } from './order.ts'
import type { OccurrenceRow } from './tables.ts'

export const shownTimes = 3
const shownOutcomes = 30
const mostSchedules = 1_000

/** The next times, for a trigger that has any. */
export function nextTimes(trigger: Trigger, madeAt: number, now: number, count: number): string[] {
  if (!isTimeTrigger(trigger)) return []
  return upcoming(trigger, madeAt, now, count).map((at) => new Date(at).toISOString())
}

export async function listSchedules(tx: AssistantTransaction, zone: string): Promise<ScheduleView[]> {
  const { records } = await tx.records.list(schedulesCollection, {
    limit: mostSchedules,
    order: [{ field: 'name', direction: 'up' }],
  })
  return viewsOf(tx, records, zone)
}

export async function viewsOf(
  tx: AssistantTransaction,
  records: readonly StoredRecord[],
  zone: string,
): Promise<ScheduleView[]> {
  const ids = records.map(({ id }) => id)
  const outcomes = await recentOf(tx, ids)
  const looks = await mailLooks(tx)
  return records.flatMap((record): ScheduleView[] => {
    const parsed = Schedule.safeParse(record.data)
    if (!parsed.success) return []
    const schedule = parsed.data
    const recent = outcomes.filter((each) => each.schedule === record.id)
    const costs = recent.flatMap(({ costUsd }) => costUsd ?? [])
    const times = nextTimes(schedule.trigger, Date.parse(record.createdAt), tx.now.getTime(), shownTimes)
    return [
      {
        id: record.id,
        ...schedule,
        words: describeTrigger(schedule.trigger, zone),
        next: schedule.status === 'active' ? times : [],
        last: recent.map(({ state }) => state).toReversed(),
        averageCostUsd: costs.length === 0 ? null : costs.reduce((sum, each) => sum + each, 0) / costs.length,
        look: looks.get(record.id) ?? null,
        label: record.label,
        createdAt: record.createdAt,
        updatedAt: record.updatedAt,
      },
    ]
  })
}

/** The newest first. */
export async function historyOf(
  tx: AssistantTransaction,
  schedule: string,
  limit: number,
): Promise<OccurrenceView[]> {
  return occurrencesWhere(
    tx,
    sql`o.operator_id = ${tx.operator} and o.schedule = ${schedule}`,
    sql`order by o.due_at desc, o.id desc limit ${limit}`,
  )
}

export async function occurrencesBetween(
  tx: AssistantTransaction,
  schedule: string,
  from: Date,
  to: Date,
): Promise<OccurrenceView[]> {
  return occurrencesWhere(
    tx,
    sql`o.operator_id = ${tx.operator} and o.schedule = ${schedule} and o.due_at >= ${from} and o.due_at < ${to}`,
    sql`order by o.due_at, o.id limit 2000`,
  )
}

export async function occurrenceById(
  tx: AssistantTransaction,
  id: string,
): Promise<OccurrenceView | undefined> {
  const [found] = await occurrencesWhere(tx, sql`o.operator_id = ${tx.operator} and o.id = ${id}`, sql``)
  return found
}

async function recentOf(tx: AssistantTransaction, ids: readonly string[]): Promise<OccurrenceView[]> {
  if (ids.length === 0) return []
  const recent = sql`(select recent.* from unnest(${ids}::text[]) as wanted (id) cross join lateral (
    select * from occurrences o where o.operator_id = ${tx.operator} and o.schedule = wanted.id
    order by o.due_at desc, o.id desc limit ${shownOutcomes}) as recent)`
  return occurrencesWhere(tx, sql`true`, sql`order by o.due_at desc, o.id desc`, recent)
}

type ShownOccurrence = OccurrenceRow & {
  readonly live_run: OccurrenceRow['run_id']
  readonly run_state: 'running' | 'parked' | 'stopped' | null
  readonly parked_on: ParkReason | null
  readonly cost: number | null
}

async function occurrencesWhere(
  { db }: AssistantTransaction,
  where: RawBuilder<unknown>,
  order: RawBuilder<unknown>,
  source: RawBuilder<unknown> = sql`occurrences`,
): Promise<OccurrenceView[]> {
  const { rows } = await sql<ShownOccurrence>`
    select o.*, i.run_id as live_run, u.state as run_state, u.parked_on,
      (select sum(m.cost)::bigint from model_calls m
        where m.operator_id = o.operator_id and m.run_id = coalesce(o.run_id, i.run_id)) as cost
    from ${source} o
    left join inputs i on i.operator_id = o.operator_id and i.key = ${messageKey('')} || o.id
    left join runs u on u.operator_id = o.operator_id and u.id = i.run_id
    where ${where} ${order}`.execute(db)
  return rows.map(viewOf)
}

function viewOf(row: ShownOccurrence): OccurrenceView {
  const state = stateOf(row)
  const run = row.run_id ?? row.live_run
  return {
    id: row.id,
    schedule: row.schedule,
    version: row.version,
    cause: row.cause,
    dueAt: row.due_at.toISOString(),
    state,
    reason: row.reason,
    because: becauseOf(state, row.reason, row.parked_on),
    session: row.session_id,
    run,
    endedAt: row.ended_at?.toISOString() ?? null,
    message: row.message,
    costUsd: row.cost === null ? null : row.cost / nanosPerDollar,
  }
}

function stateOf({ state, run_state, live_run }: ShownOccurrence): OccurrenceState {
  if (state !== 'due') return state
  if (!live_run || run_state === null) return 'queued'
  return run_state === 'parked' ? 'parked' : 'running'
}

export function becauseOf(
  state: OccurrenceState,
  reason: OccurrenceReason,
  parkedOn: ParkReason | null = null,
): string {
  switch (state) {
    case 'queued':
      return 'It is queued.'
    case 'running':
      return 'It is running.'
    case 'parked':
      return parkedOn === 'retry' ? 'It failed and will be retried automatically.' : 'It is waiting for you.'
    case 'succeeded':
      return 'It was done.'
    case 'failed':
      return 'The run failed.'
    case 'stopped':
      return 'You stopped the run.'
    default:
      return hindranceWords[reason] ?? 'It did not run.'
  }
}

const hindranceWords: Readonly<Partial<Record<OccurrenceReason, string>>> = {
  late: 'It was due while the gateway was not running, and the policy for missed runs did not repeat it.',
  paused: 'The automation was paused.',
  edited: 'The automation was changed before this run was due.',
  overlap: 'The previous run had not ended.',
  quiet_hours: 'It fell into quiet hours.',
  goal_held: 'Its goal is paused.',
  budget: 'Unattended work is on hold because it spent more than usual.',
  rate: 'It was triggered too often within a minute.',
  loop: 'Its own run triggered it.',
  unproven: 'An e-mail named the sender, but its domain does not vouch for it: it may be forged.',
  renewed:
    'The server numbered the e-mails of the folder anew. Those that came since the last look before that did not start it.',
}
