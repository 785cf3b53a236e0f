/** Owns the rows that tell how far the folder of each automation was looked at, and how the last look went. */
import {
  type MailLook,
  type MailTrigger,
  type RunId,
  Schedule,
  type StoredRecord,
  schedulesCollection,
} from '@countersign/contract'
import type { SeenUpTo } from '@countersign/tools'
import { sql } from 'kysely'
import type { AssistantTransaction } from '../../assistant-context.ts'

/** An automation that begins with an e-mail. */
export interface MailWatch {
  readonly id: string
  readonly schedule: Schedule
  readonly trigger: MailTrigger
  /** Null until the folder was looked at: what was there before sets nothing off. */
  readonly seen: SeenUpTo | null
  readonly lookedAt: Date | null
  /** A look that has not been taken in yet. */
  readonly run: RunId | null
  readonly problem: string | null
  readonly waiting: number
}

interface WatchRow {
  readonly id: string
  readonly data: StoredRecord['data']
  readonly version: number | null
  readonly mailbox: string | null
  readonly uid_validity: string | null
  readonly uid: number | null
  readonly looked_at: Date | null
  readonly look_run: RunId | null
  readonly problem: string | null
  readonly waiting: number | null
}

export async function mailWatches(
  { db, operator }: AssistantTransaction,
  id: string | null = null,
): Promise<readonly MailWatch[]> {
  const { rows } = await sql<WatchRow>`
    select r.id, r.data, w.version, w.mailbox, w.uid_validity, w.uid, w.looked_at, w.look_run, w.problem, w.waiting
    from records r left join mail_watches w on w.operator_id = r.operator_id and w.schedule = r.id
    where r.operator_id = ${operator} and r.collection = ${schedulesCollection}
      and r.data -> 'trigger' ->> 'kind' = 'mail' and (${id}::text is null or r.id = ${id})
    order by w.looked_at nulls first, r.id`.execute(db)
  return rows.flatMap(watchFrom)
}

/** Waits for whoever takes a look in. */
export async function holdWatch(tx: AssistantTransaction, id: string): Promise<MailWatch | undefined> {
  await sql`select 1 from mail_watches where operator_id = ${tx.operator} and schedule = ${id} for update`.execute(
    tx.db,
  )
  return (await mailWatches(tx, id))[0]
}

/** A look has begun. Another version of the automation begins with the folder as it is then. */
export async function noteLook(
  { db, operator }: AssistantTransaction,
  { id, schedule, seen }: MailWatch,
  run: RunId,
): Promise<void> {
  await sql`
    insert into mail_watches (operator_id, schedule, version, mailbox, uid_validity, uid, look_run)
    values (${operator}, ${id}, ${schedule.version}, ${seen?.mailbox ?? null},
      ${seen?.uidValidity ?? null}, ${seen?.uid ?? null}, ${run})
    on conflict (operator_id, schedule) do update set version = excluded.version, mailbox = excluded.mailbox,
      uid_validity = excluded.uid_validity, uid = excluded.uid, look_run = excluded.look_run`.execute(db)
}

export type WatchMove = Pick<MailWatch, 'seen' | 'run' | 'problem' | 'waiting'>

export async function moveWatch(
  { db, operator, now }: AssistantTransaction,
  { id, schedule }: MailWatch,
  { seen, run, problem, waiting }: WatchMove,
): Promise<void> {
  await sql`
    insert into mail_watches
      (operator_id, schedule, version, mailbox, uid_validity, uid, looked_at, look_run, problem, waiting)
    values (${operator}, ${id}, ${schedule.version}, ${seen?.mailbox ?? null},
      ${seen?.uidValidity ?? null}, ${seen?.uid ?? null}, ${now}, ${run}, ${problem}, ${waiting})
    on conflict (operator_id, schedule) do update set version = excluded.version, mailbox = excluded.mailbox,
      uid_validity = excluded.uid_validity, uid = excluded.uid, looked_at = excluded.looked_at,
      look_run = excluded.look_run, problem = excluded.problem, waiting = excluded.waiting`.execute(db)
}

/** What is paused or gone is looked at no more; once it goes on, it begins with the folder as it is then. */
export async function dropWatches({ db, operator }: AssistantTransaction): Promise<void> {
  await sql`
    delete from mail_watches w where w.operator_id = ${operator} and not exists (
      select 1 from records r where r.operator_id = w.operator_id and r.collection = ${schedulesCollection}
        and r.id = w.schedule and r.data -> 'trigger' ->> 'kind' = 'mail' and r.data ->> 'status' = 'active')`.execute(
    db,
  )
}

/** How looking goes, by the id of the automation. */
export async function mailLooks(tx: AssistantTransaction): Promise<ReadonlyMap<string, MailLook>> {
  return new Map((await mailWatches(tx)).map((watch) => [watch.id, lookOf(watch)]))
}

export function lookOf({ lookedAt, problem, waiting }: MailWatch): MailLook {
  return { lookedAt: lookedAt?.toISOString() ?? null, problem, waiting }
}

function watchFrom(row: WatchRow): MailWatch[] {
  const parsed = Schedule.safeParse(row.data)
  if (!parsed.success || parsed.data.trigger.kind !== 'mail') return []
  const { mailbox, uid_validity: uidValidity, uid } = row
  const isSeen = mailbox !== null && uidValidity !== null && uid !== null
  // A folder that another version looked at may be another folder.
  const isOfVersion = row.version === parsed.data.version
  return [
    {
      id: row.id,
      schedule: parsed.data,
      trigger: parsed.data.trigger,
      seen: isSeen && isOfVersion ? { mailbox, uidValidity, uid } : null,
      lookedAt: isOfVersion ? row.looked_at : null,
      run: isOfVersion ? row.look_run : null,
      problem: isOfVersion ? row.problem : null,
      waiting: isOfVersion ? (row.waiting ?? 0) : 0,
    },
  ]
}
