/**
 * Owns how far a schedule was looked at. Whoever holds its row decides alone what it was due for, over all processes.
 */
import {
  type Label,
  type OperatorId,
  Schedule,
  schedulesCollection,
  type Trigger,
} from '@countersign/contract'
import { sql } from 'kysely'
import type { AssistantTransaction } from '../assistant-context.ts'
import { tablesOn } from './tables.ts'

/** A schedule with everything that decides whether it runs now, under its lock. */
export interface LockedSchedule {
  readonly id: string
  readonly schedule: Schedule
  readonly label: Label | null
  readonly recordVersion: number
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly cursor: ScheduleCursor
  /** Another occurrence of it has not ended. */
  readonly busy: boolean
  readonly goalHeld: boolean
  /** Unattended work spent far more than usual. */
  readonly spendingHeld: boolean
  readonly ledgerSize: number
}

export interface ScheduleCursor {
  readonly recordVersion: number
  /** 0 before the first look. */
  readonly version: number
  readonly trigger: Trigger | null
  readonly consideredAt: Date
  readonly ledgerSeq: number
  readonly seen: string | null
}

export interface CursorMove {
  readonly consideredAt: Date
  readonly nextAt: Date | null
  readonly ledgerSeq: number
  readonly seen: string | null
}

/** Begins to look at schedules that nobody looked at yet, from when they were made. */
export async function beginCursors({ db, operator }: AssistantTransaction): Promise<void> {
  await sql`
    insert into schedule_cursors (operator_id, schedule, considered_at, next_at, ledger_seq)
    select r.operator_id, r.id, r.created_at, r.created_at, p.ledger_size
    from records r join operators p on p.id = r.operator_id
    where r.operator_id = ${operator} and r.collection = ${schedulesCollection}
      and not exists (select 1 from schedule_cursors c where c.operator_id = r.operator_id and c.schedule = r.id)
    on conflict do nothing`.execute(db)
}

/** The schedules that there is something to look at for, the earliest first. */
export async function dueSchedules(
  { db, operator }: AssistantTransaction,
  now: Date,
  slackMs: number,
): Promise<readonly string[]> {
  const { rows } = await sql<{ schedule: string }>`
    select c.schedule from schedule_cursors c
    join records r on r.operator_id = c.operator_id and r.collection = ${schedulesCollection} and r.id = c.schedule
    join operators p on p.id = c.operator_id
    where c.operator_id = ${operator} and (
      c.record_version <> r.version or c.next_at <= ${now} or c.watches
      or (c.listens and c.ledger_seq < p.ledger_size)
      or c.considered_at > ${new Date(now.getTime() + slackMs)})
    order by c.next_at nulls last, c.schedule`.execute(db)
  return rows.map(({ schedule }) => schedule)
}

export async function nextDue({ db, operator }: AssistantTransaction): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select min(c.next_at) as at from schedule_cursors c
    join records r on r.operator_id = c.operator_id and r.collection = ${schedulesCollection} and r.id = c.schedule
    where c.operator_id = ${operator}`.execute(db)
  return rows[0]?.at ?? null
}

/** Waits for whoever holds it. Undefined when the schedule is gone or was never looked at. */
export async function holdSchedule(
  { db, operator }: AssistantTransaction,
  id: string,
): Promise<LockedSchedule | undefined> {
  // Two statements, sent together: the second begins when the lock is there, and so sees what its last holder wrote.
  const [, { rows }] = await Promise.all([
    sql`select 1 from schedule_cursors where operator_id = ${operator} and schedule = ${id} for update`.execute(
      db,
    ),
    sql<CursorRow>`
      select c.*, r.data, r.label, r.version as stored, r.created_at, r.updated_at,
        exists (select 1 from occurrences o where o.operator_id = c.operator_id and o.schedule = c.schedule
          and o.state = 'due') as busy,
        exists (select 1 from held_goals h where h.operator_id = c.operator_id
          and h.goal in (c.schedule, r.data ->> 'goal')) as goal_held,
        p.held_at is not null as spending_held, p.ledger_size
      from schedule_cursors c
      join records r on r.operator_id = c.operator_id and r.collection = ${schedulesCollection} and r.id = c.schedule
      join operators p on p.id = c.operator_id
      where c.operator_id = ${operator} and c.schedule = ${id}`.execute(db),
  ])
  return rows[0] && heldFrom(rows[0])
}

export async function moveCursor(
  { db, operator }: AssistantTransaction,
  held: LockedSchedule,
  moved: CursorMove,
): Promise<void> {
  const { schedule, id, recordVersion } = held
  await tablesOn(db)
    .updateTable('schedule_cursors')
    .set({
      record_version: recordVersion,
      version: schedule.version,
      trigger: JSON.stringify(schedule.trigger),
      considered_at: moved.consideredAt,
      next_at: moved.nextAt,
      listens: schedule.trigger.kind === 'event',
      watches: schedule.trigger.kind === 'watch',
      ledger_seq: moved.ledgerSeq,
      seen: moved.seen,
    })
    .where('operator_id', '=', operator)
    .where('schedule', '=', id)
    .execute()
}

interface CursorRow {
  readonly schedule: string
  readonly operator_id: OperatorId
  readonly record_version: number
  readonly version: number
  readonly trigger: Trigger | null
  readonly considered_at: Date
  readonly ledger_seq: number
  readonly seen: string | null
  readonly data: unknown
  readonly label: Label | null
  readonly stored: number
  readonly created_at: Date
  readonly updated_at: Date
  readonly busy: boolean
  readonly goal_held: boolean
  readonly spending_held: boolean
  readonly ledger_size: number
}

function heldFrom(row: CursorRow): LockedSchedule {
  return {
    id: row.schedule,
    schedule: Schedule.parse(row.data),
    label: row.label,
    recordVersion: row.stored,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    cursor: {
      recordVersion: row.record_version,
      version: row.version,
      trigger: row.trigger,
      consideredAt: row.considered_at,
      ledgerSeq: row.ledger_seq,
      seen: row.seen,
    },
    busy: row.busy,
    goalHeld: row.goal_held,
    spendingHeld: row.spending_held,
    ledgerSize: row.ledger_size,
  }
}
