/**
 * Takes everything that was said and done in a conversation out of the database: messages, arguments, results, cards,
 * questions and events, also those of readers that worked for it. What stays says that there were runs and calls, when
 * and at what cost, and never what about. The ledger is not touched: it keeps the beginning of what was said and done, so
 * that it can be verified.
 */
import type { SessionId } from '@countersign/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Db, Unit } from '../store/store.ts'

/** Lock the session first. False, and nothing is erased, while something of it or of its readers works or is due. */
export async function eraseWords(
  { db, operator, now }: Pick<Unit, 'db' | 'operator' | 'now'>,
  session: SessionId,
): Promise<boolean> {
  const readers = await readersOf(db, session)
  const sessions = [session, ...readers]
  const its = sql`operator_id = ${operator} and session_id = any(${sessions})`
  if (await hasWork(db, its)) return false
  // A call that was tried again has another nonce; the ledger has them all.
  await sql`
    update record_permit_uses set reply = jsonb_set(reply::jsonb, '{result}',
      jsonb_build_object('ok', reply -> 'result' -> 'ok', 'text', '', 'summary', ''))::json
    where operator_id = ${operator} and nonce in (
      select body::json -> 'data' ->> 'nonce' from ledger_entries
      where operator_id = ${operator} and type = 'effect.intended'
        and call_id in (select id from calls where ${its}))`.execute(db)
  await sql`
    update calls set raw_args = '{}', args = case when args = '' then '' else '{}' end, headline = tool,
      result_text = '', summary = '', permit = null, undo = null, judged = null, decision = null, pictures = null
    where ${its}`.execute(db)
  await sql`delete from unasked where ${its}`.execute(db)
  await sql`delete from asked_for where ${its}`.execute(db)
  // What was granted for nothing but the conversation ends with it, and says what it was for no more.
  await sql`
    update grants set sentence = tool, covers = '[]', revoked_at = coalesce(revoked_at, ${now})
    where operator_id = ${operator} and (session_id = any(${sessions})
      or run_id in (select id from runs where ${its}))`.execute(db)
  // A grant that goes further than the conversation holds on, by its own sentence.
  await sql`
    update grants set approval_id = null
    where approval_id in (select id from approvals where ${its})`.execute(db)
  await sql`update calls set approval_id = null where ${its}`.execute(db)
  await sql`delete from approvals where ${its}`.execute(db)
  await sql`delete from questions where ${its}`.execute(db)
  await sql`delete from events where ${its}`.execute(db)
  await sql`delete from messages where ${its}`.execute(db)
  // What waited is not answered any more; its row stays, so that the same message is not taken a second time.
  await sql`update inputs set text = '', attachments = '[]', state = 'done' where ${its}`.execute(db)
  await sql`update runs set message = '', retry = null, details_removed_at = ${now} where ${its}`.execute(db)
  await sql`update sessions set title = '' where operator_id = ${operator} and id = any(${readers})`.execute(
    db,
  )
  return true
}

/** A run that is not over, or a message that a schedule, a task or a goal waits for: its end has to be told there. */
async function hasWork(db: Db, its: RawBuilder<unknown>): Promise<boolean> {
  const { rows } = await sql`
    select 1 from runs where ${its} and state <> 'stopped'
    union all
    select 1 from inputs where ${its} and state in ('queued', 'steering')
      and coalesce(work ->> 'schedule', work ->> 'about') is not null
    limit 1`.execute(db)
  return rows.length > 0
}

/** The sessions of runs that only read for this one, and of those that read for them. */
async function readersOf(db: Db, session: SessionId): Promise<SessionId[]> {
  const { rows } = await sql<{ session_id: SessionId }>`
    with recursive reading as (
      select reader.id, reader.session_id from runs reader join runs asker on asker.id = reader.parent
      where asker.session_id = ${session} and reader.answers is not null and reader.session_id <> ${session}
      union
      select reader.id, reader.session_id from runs reader join reading on reading.id = reader.parent
      where reader.answers is not null)
    select distinct session_id from reading`.execute(db)
  return rows.map((row) => row.session_id)
}
