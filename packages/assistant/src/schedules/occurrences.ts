/**
 * Owns the rows of occurrences. One is written before anything runs for it, at most one for each instant or event, and
 * each has exactly one end.
 */
import type {
  Label,
  OccurrenceCause,
  OccurrenceReason,
  Requester,
  RunId,
  SessionId,
  StopReason,
  StoredState,
  WorkOrigin,
} from '@countersign/contract'
import { sql } from 'kysely'
import type { AssistantTransaction } from '../assistant-context.ts'
import type { OccurrenceVerdict } from './judgement.ts'
import { type OccurrenceRow, tablesOn } from './tables.ts'

export function newOccurrenceId(uuid: string): string {
  return `occ_${uuid.replaceAll('-', '')}`
}

/** One that is about to be written. */
export interface OccurrenceDraft {
  readonly id: string
  readonly key: string
  readonly cause: OccurrenceCause
  readonly dueAt: number
  readonly verdict: OccurrenceVerdict
  readonly session: SessionId | null
  /** What set it off, in words for the agent. */
  readonly words?: string
  /** What those words are worth. */
  readonly label?: Label
  /** Whoever it is done for, where that is not the operator. */
  readonly person?: Requester
  /** Whoever set it off, where a run did. */
  readonly origins?: readonly WorkOrigin[]
}

export interface WrittenOccurrence {
  readonly id: string
  readonly key: string
  readonly state: StoredState
}

/**
 * Writes all of them in one statement and tells which were new. One that was called missed while the clock ran ahead
 * of its time may still run once the clock was set back.
 */
export async function writeOccurrences(
  { db, operator, now }: AssistantTransaction,
  schedule: string,
  version: number,
  drafts: readonly OccurrenceDraft[],
): Promise<readonly WrittenOccurrence[]> {
  if (drafts.length === 0) return []
  const column = (values: readonly (string | null)[], type: string) => sql`${values}::${sql.raw(type)}[]`
  const { rows } = await sql<WrittenOccurrence>`
    insert into occurrences
      (operator_id, id, schedule, key, version, cause, due_at, state, reason, session_id, created_at)
    select ${operator}, u.id, ${schedule}, u.key, ${version}, u.cause, u.due_at, u.state, u.reason, u.session, ${now}
    from unnest(
      ${column(
        drafts.map(({ id }) => id),
        'text',
      )},
      ${column(
        drafts.map(({ key }) => key),
        'text',
      )},
      ${column(
        drafts.map(({ cause }) => cause),
        'text',
      )},
      ${column(
        drafts.map(({ dueAt }) => new Date(dueAt).toISOString()),
        'timestamptz',
      )},
      ${column(
        drafts.map(({ verdict }) => verdict.state),
        'text',
      )},
      ${column(
        drafts.map(({ verdict }) => verdict.reason),
        'text',
      )},
      ${column(
        drafts.map(({ session }) => session),
        'text',
      )}
    ) as u (id, key, cause, due_at, state, reason, session)
    on conflict (operator_id, schedule, key) do update
      set state = excluded.state, reason = excluded.reason, session_id = excluded.session_id,
        created_at = excluded.created_at
      where occurrences.state = 'missed' and excluded.state = 'due' and occurrences.created_at > excluded.created_at
    returning id, key, state`.execute(db)
  return rows
}

/** How many were set off in the last minute, whenever their events were. */
export async function recentlySetOff(
  { db, operator, now }: AssistantTransaction,
  schedule: string,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from occurrences
    where operator_id = ${operator} and schedule = ${schedule} and due_at > ${new Date(now.getTime() - 24 * 60 * 60_000)}
      and created_at > ${new Date(now.getTime() - 60_000)} and cause in ('event', 'webhook', 'watch') and state <> 'suppressed'`.execute(
    db,
  )
  return rows[0]?.count ?? 0
}

export interface OccurrenceEnd {
  readonly state: Extract<StoredState, 'succeeded' | 'failed' | 'stopped'>
  readonly reason: OccurrenceReason
  readonly message: string
  readonly run: RunId | null
}

/** The first end counts; undefined when it had one before, or there is no such occurrence. */
export async function endOccurrence(
  { db, operator, now }: AssistantTransaction,
  id: string,
  { state, reason, message, run }: OccurrenceEnd,
): Promise<OccurrenceRow | undefined> {
  return tablesOn(db)
    .updateTable('occurrences')
    .set({ state, reason, message, run_id: run, ended_at: now })
    .where('operator_id', '=', operator)
    .where('id', '=', id)
    .where('state', '=', 'due')
    .returningAll()
    .executeTakeFirst()
}

/** How those ended stays that ran in the session, and not in what words. */
export async function eraseEndings(
  { db, operator }: AssistantTransaction,
  session: SessionId,
): Promise<void> {
  await sql`
    update occurrences set message = ''
    where operator_id = ${operator}
      and (session_id = ${session} or run_id in (select id from runs where session_id = ${session}))`.execute(
    db,
  )
}

export function endStateOf(reason: StopReason): OccurrenceEnd['state'] {
  if (reason === 'completed') return 'succeeded'
  return reason === 'manual' ? 'stopped' : 'failed'
}
