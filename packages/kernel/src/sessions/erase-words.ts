/**
 * Takes everything that was said and done in a conversation out of the database: messages, arguments, results, cards,
 * questions and events, also those of readers that worked for it. What stays says that there were runs and calls, when
 * and at what cost, and never what about. The ledger is not touched: its entries hold the chain together.
 */
import type { SessionId } from '@countersign/contract'
import { sql } from 'kysely'
import type { Db, Unit } from '../store/store.ts'

/** To be done while nothing of it works: lock the session and ask whether it is busy first. */
export async function eraseWords(
  { db, operator, now }: Pick<Unit, 'db' | 'operator' | 'now'>,
  session: SessionId,
): Promise<void> {
  const sessions = [session, ...(await readersOf(db, session))]
  const its = sql`operator_id = ${operator} and session_id = any(${sessions})`
  await sql`
    update record_permit_uses set reply = jsonb_set(reply::jsonb, '{result}',
      jsonb_build_object('ok', reply -> 'result' -> 'ok', 'text', '', 'summary', ''))::json
    where operator_id = ${operator} and nonce in (select nonce from calls where ${its})`.execute(db)
  await sql`
    update calls set raw_args = '{}', args = case when args = '' then '' else '{}' end, headline = tool,
      result_text = '', summary = '', permit = null, undo = null, judged = null, decision = null, pictures = null
    where ${its}`.execute(db)
  await sql`delete from unasked where ${its}`.execute(db)
  await sql`delete from asked_for where ${its}`.execute(db)
  // A grant that goes further than the conversation holds on, by its own sentence.
  await sql`
    update grants set approval_id = null
    where approval_id in (select id from approvals where ${its})`.execute(db)
  await sql`update calls set approval_id = null where ${its}`.execute(db)
  await sql`delete from approvals where ${its}`.execute(db)
  await sql`delete from questions where ${its}`.execute(db)
  await sql`delete from events where ${its}`.execute(db)
  await sql`delete from messages where ${its}`.execute(db)
  await sql`update inputs set text = '', attachments = '[]' where ${its}`.execute(db)
  await sql`update runs set message = '', details_removed_at = ${now} where ${its}`.execute(db)
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
