/**
 * Owns making the pieces of what waits for it, from the tables that keep the texts. Refuses what is not to be found:
 * messages that were forgotten, of readers, of trials, and of sessions that are private or gone.
 */
import type { Label, OperatorId } from '@countersign/contract'
import type { LimitedDb } from '@countersign/kernel'
import { sql } from 'kysely'
import { contentLimits } from './limits.ts'
import { dropPieces, putPieces, type SourceText } from './pieces.ts'

/** Whether something waits for its pieces, and whether there is an e-mail account to look at: one question for both. */
export async function whatWaits(
  db: LimitedDb,
  operator: OperatorId,
): Promise<{ readonly texts: boolean; readonly mail: boolean }> {
  const { rows } = await sql<{ texts: boolean; mail: boolean }>`
    select exists (select 1 from content_pending where operator_id = ${operator}) as texts,
      exists (select 1 from searched_mailboxes where operator_id = ${operator}) as mail`.execute(db)
  return rows[0] ?? { texts: false, mail: false }
}

/** How many there were. What fails midway waits again, since it is one transaction. */
export async function digestPending(db: LimitedDb, operator: OperatorId): Promise<number> {
  const { rows: waiting } = await sql<{ type: string; source: string }>`
    with chosen as (
      select type, source from content_pending where operator_id = ${operator}
      limit ${contentLimits.batch} for update skip locked
    )
    delete from content_pending p using chosen
    where p.operator_id = ${operator} and p.type = chosen.type and p.source = chosen.source
    returning p.type, p.source`.execute(db)
  if (waiting.length === 0) return 0
  const sourcesIn = (collection: string) =>
    waiting.filter(({ type }) => type === collection).map(({ source }) => source)
  const found = [
    ...(await messagesAt(db, operator, sourcesIn('conversations'))),
    ...(await notesWith(db, operator, sourcesIn('notes'))),
  ]
  const there = new Set(found.map(({ collection, source }) => `${collection}/${source}`))
  for (const { type, source } of waiting)
    if (!there.has(`${type}/${source}`)) await dropPieces(db, operator, type, source)
  for (const text of found) await putPieces(db, operator, text)
  return waiting.length
}

async function messagesAt(
  db: LimitedDb,
  operator: OperatorId,
  sources: readonly string[],
): Promise<SourceText[]> {
  if (sources.length === 0) return []
  const { rows } = await sql<{ source: string; title: string; text: string; at: Date; label: Label }>`
    select m.session_id || '/' || m.position as source, s.title, m.text, m.at, m.label
    from unnest(${sources}::text[]) as wanted (source)
    join messages m on m.session_id = split_part(wanted.source, '/', 1)
      and m.position = split_part(wanted.source, '/', 2)::bigint
    join sessions s on s.id = m.session_id and s.removed_at is null and not s.private
    join runs r on r.id = m.run_id and r.answers is null
    where m.operator_id = ${operator}
      and not exists (select 1 from session_origins o where o.session_id = m.session_id and o.simulated)
      and not exists (select 1 from forgotten_messages f
        where f.session_id = m.session_id and f.position = m.position)
      and not exists (select 1 from episodes e
        where e.session_id = m.session_id and e.forgotten @> to_jsonb(m.position))`.execute(db)
  return rows.map((row) => ({ collection: 'conversations', ...row }))
}

async function notesWith(db: LimitedDb, operator: OperatorId, ids: readonly string[]): Promise<SourceText[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<{ id: string; title: string; text: string; at: Date; label: Label | null }>`
    select id, coalesce(data ->> 'title', '') as title, coalesce(data ->> 'content', '') as text,
      updated_at as at, label
    from records
    where operator_id = ${operator} and collection = 'notes' and id = any (${ids}::text[])`.execute(db)
  return rows.map(({ id, text, title, ...rest }) => ({
    collection: 'notes',
    source: id,
    title,
    // A note may be nothing but its title.
    text: text.trim() === '' ? title : text,
    ...rest,
  }))
}
