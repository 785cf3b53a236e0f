/**
 * Owns reminders of calendar events: each is told once, in the transaction that notes that it was told, on every surface
 * that hears events. What came due while nothing ran is told at the next start and says that it is late.
 */
import { CalendarEvent, eventsCollection, timeOf } from '@countersign/contract'
import type { Actor } from '@countersign/kernel'
import { sql } from 'kysely'
import type { AssistantContext, AssistantTransaction } from '../assistant-context.ts'
import { createTimer } from '../schedules/timer.ts'

export interface RemindersLook {
  readonly told: number
  readonly next: Date | null
}

/** What was told later than this after its time says so. */
const graceMs = 60_000
/** So that one transaction stays short. */
const mostAtOnce = 200
const clockActor: Actor = { kind: 'gateway', id: 'reminders' }

export function createReminders(context: AssistantContext) {
  const { operator, records, zone } = context
  const timer = createTimer({ context, beat: () => look(context.clock()) })

  /** Reads what changed in the calendar, then tells what is due. Mostly there is neither, and nothing is written. */
  async function look(now: Date): Promise<RemindersLook> {
    let seen = await records.single(operator, lookAt)
    if (seen.isChanged) {
      for (let more = true; more; )
        more = (await records.change(operator, (tx) => readCalendar(tx, zone))).value === mostAtOnce
      seen = await records.single(operator, lookAt)
    }
    if (seen.next === null || seen.next > now) return { told: 0, next: seen.next }
    let told = 0
    for (let last = mostAtOnce; last === mostAtOnce; told += last)
      last = (await records.change(operator, (tx) => tell(tx, now))).value
    return { told, next: (await records.single(operator, lookAt)).next }
  }

  return { look, start: timer.start, close: timer.close }
}

/** One page of events that were written since they were last looked at; those that are gone are told no more. */
async function readCalendar({ db, operator }: AssistantTransaction, zone: string): Promise<number> {
  await sql`update reminders m set due_at = null, record_version = 0 where ${isGone(operator)}`.execute(db)
  const { rows } = await sql<{ id: string; version: number; data: unknown; updated_at: Date }>`
    select r.id, r.version, r.data, r.updated_at ${unread(operator)}
    order by r.updated_at, r.id limit ${mostAtOnce}`.execute(db)
  for (const { id, version, data, updated_at: written } of rows) {
    const event = CalendarEvent.safeParse(data).data
    const start = event && timeOf(event.startTime)
    // A day and a time without an offset are those of the place where the operator is.
    const startsAt =
      start === undefined
        ? sql`to_timestamp(0)`
        : start.kind === 'moment'
          ? sql`${start.text}::text::timestamptz`
          : sql`(${start.text}::text::timestamp at time zone ${zone}::text)`
    const minutes = event?.reminder
    const dueAt =
      minutes === undefined
        ? sql`null::timestamptz`
        : sql`case when ${startsAt} > ${written}::timestamptz then ${startsAt} - make_interval(mins => ${minutes}::int) end`
    await sql`
      insert into reminders (operator_id, event, record_version, starts_at, due_at)
      values (${operator}, ${id}, ${version}, ${startsAt}, ${dueAt})
      on conflict (operator_id, event) do update
        set record_version = excluded.record_version, starts_at = excluded.starts_at, due_at = excluded.due_at`.execute(
      db,
    )
  }
  return rows.length
}

interface DueReminder {
  readonly event: string
  readonly starts_at: Date
  readonly due_at: Date
  readonly data: unknown
  readonly updated_at: Date
}

/** Whoever changes the row tells it: a second process finds it told. */
async function tell(tx: AssistantTransaction, now: Date): Promise<number> {
  const { rows } = await sql<DueReminder>`
    update reminders m set told_for = m.due_at from records r
    where m.operator_id = ${tx.operator} and m.due_at <= ${now} and m.due_at is distinct from m.told_for
      and r.operator_id = m.operator_id and r.collection = ${eventsCollection} and r.id = m.event
      and m.event in (select o.event from reminders o where o.operator_id = ${tx.operator} and o.due_at <= ${now}
        and o.due_at is distinct from o.told_for order by o.due_at limit ${mostAtOnce})
    returning m.event, m.starts_at, m.due_at, r.data, r.updated_at`.execute(tx.db)
  const inOrder = rows.toSorted((a, b) => a.due_at.getTime() - b.due_at.getTime())
  for (const { event, starts_at: starts, due_at: due, data, updated_at: written } of inOrder) {
    // Written after its time it is told as soon as it is known, and nobody was late.
    const late = now.getTime() - Math.max(due.getTime(), written.getTime()) > graceMs
    const kept = CalendarEvent.safeParse(data).data
    if (!kept) continue
    tx.emit({
      type: 'reminder.due',
      event,
      title: kept.title,
      start: kept.startTime,
      startsAt: starts.toISOString(),
      location: kept.location ?? null,
      late,
      begun: starts.getTime() < now.getTime() - graceMs,
    })
    tx.record({ type: 'reminder.told', actor: clockActor, data: { event, due: due.toISOString(), late } })
  }
  return rows.length
}

interface Seen {
  /** The calendar is not as it was when it was read. */
  readonly isChanged: boolean
  readonly next: Date | null
}

async function lookAt({ db, operator }: AssistantTransaction): Promise<Seen> {
  const { rows } = await sql<{ changed: boolean; next: Date | null }>`
    select (select min(due_at) from reminders
        where operator_id = ${operator} and due_at is distinct from told_for) as next,
      exists (select 1 from reminders m where ${isGone(operator)})
        or exists (select 1 ${unread(operator)}) as changed`.execute(db)
  const [seen] = rows
  return { isChanged: seen?.changed ?? false, next: seen?.next ?? null }
}

/** Of a reminder `m`: its event was deleted, and nobody has noted it. */
const isGone = (operator: string) => sql`
  m.operator_id = ${operator} and m.record_version <> 0 and not exists (select 1 from records r
    where r.operator_id = m.operator_id and r.collection = ${eventsCollection} and r.id = m.event)`

/** Events `r` that were written since they were last looked at. */
const unread = (operator: string) => sql`
  from records r left join reminders m on m.operator_id = r.operator_id and m.event = r.id
  where r.operator_id = ${operator} and r.collection = ${eventsCollection}
    and m.record_version is distinct from r.version`
