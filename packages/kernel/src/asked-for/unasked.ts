/**
 * Owns the rows of what was held because nobody asked for it: one open row for a conversation, whatever the number. A
 * row does nothing; it can be put away, and a call that is kept with it can be proposed again by the operator.
 */
import {
  type CallId,
  CountersignError,
  idFrom,
  mostUnaskedKept,
  type RunId,
  type SessionId,
  type UnaskedCall,
  type UnaskedId,
  type UnaskedView,
} from '@countersign/contract'
import { sql } from 'kysely'
import type { HeldRun } from '../store/run-row.ts'
import type { Actor, Db, Unit } from '../store/store.ts'

/** In the unit in which the calls end, so that none is held without a row. */
export async function keepUnasked(
  unit: Unit,
  { operator, session }: Pick<HeldRun, 'operator' | 'session'>,
  calls: readonly CallId[],
  uuid: () => string,
): Promise<void> {
  if (calls.length === 0) return
  const row = await unit.db
    .insertInto('unasked')
    .values({
      operator_id: operator,
      id: idFrom('un', uuid()),
      session_id: session,
      count: calls.length,
      at: unit.now,
      closed_at: null,
    })
    .onConflict((open) =>
      open
        .columns(['operator_id', 'session_id'])
        .where('closed_at', 'is', null)
        .doUpdateSet({ count: sql`unasked.count + excluded.count`, at: unit.now }),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  const { waiting } = await unit.db
    .selectFrom('unasked_calls')
    .select(sql<number>`count(*)::int`.as('waiting'))
    .where('unasked_id', '=', row.id)
    .where('again_run_id', 'is', null)
    .executeTakeFirstOrThrow()
  const space = Math.max(0, mostUnaskedKept - waiting)
  const kept = calls.slice(0, space)
  if (kept.length === 0) return
  await unit.db
    .insertInto('unasked_calls')
    .values(kept.map((call) => ({ operator_id: operator, unasked_id: row.id, call_id: call })))
    .execute()
}

/** Those that are open, the newest first. */
export async function openUnasked(db: Db): Promise<UnaskedView[]> {
  const rows = await db
    .selectFrom('unasked')
    .select(['id', 'session_id', 'count', 'at'])
    .where('closed_at', 'is', null)
    .orderBy('at', 'desc')
    .execute()
  if (rows.length === 0) return []
  const calls = await db
    .selectFrom('unasked_calls')
    .innerJoin('calls', 'calls.id', 'unasked_calls.call_id')
    .select(['unasked_id', 'again_run_id', 'calls.id', 'calls.run_id', 'calls.tool', 'calls.headline'])
    .select(['calls.tier', 'calls.decision', 'calls.ended_at'])
    .where(
      'unasked_id',
      'in',
      rows.map(({ id }) => id),
    )
    .orderBy('calls.ended_at')
    .orderBy('calls.turn')
    .orderBy('calls.position')
    .execute()
  return rows.map((row) => {
    const its = calls.filter(({ unasked_id }) => unasked_id === row.id)
    const left = its.filter(({ again_run_id }) => again_run_id === null)
    return {
      id: row.id,
      session: row.session_id,
      count: row.count - (its.length - left.length),
      calls: left.map(
        (call): UnaskedCall => ({
          call: call.id,
          run: call.run_id,
          tool: call.tool,
          headline: call.headline,
          tier: call.tier ?? 4,
          reason: call.decision?.reason ?? '',
          at: (call.ended_at ?? row.at).toISOString(),
        }),
      ),
      at: row.at.toISOString(),
    }
  })
}

/** What it holds stays undone. */
export async function dismissUnasked(unit: Unit, id: UnaskedId, actor: Actor): Promise<void> {
  const row = await close(unit, id)
  if (!row) throw gone(id)
  unit.record({ type: 'unasked.dismissed', actor, session: row.session, data: { row: id, count: row.count } })
}

/** Takes the call out of its row, for one run and never for another. */
export async function takeUnasked(
  unit: Unit,
  { id, call, run }: { readonly id: UnaskedId; readonly call: CallId; readonly run: RunId },
): Promise<void> {
  const taken = await unit.db
    .updateTable('unasked_calls')
    .set({ again_run_id: run })
    .where('unasked_id', '=', id)
    .where('call_id', '=', call)
    .where('again_run_id', 'is', null)
    .returning('call_id')
    .executeTakeFirst()
  if (!taken) throw gone(id)
  const { rows } = await sql<{ left: number }>`
    select count - (select count(*)::int from unasked_calls
      where unasked_id = unasked.id and again_run_id is not null) as left
    from unasked where id = ${id}`.execute(unit.db)
  if (rows[0]?.left === 0) await close(unit, id)
}

/** The session of an open row that keeps the call; whoever else would take it or put the row away waits. */
export async function lockUnasked(
  unit: Unit,
  id: UnaskedId,
  call: CallId,
): Promise<{ readonly session: SessionId }> {
  const row = await unit.db
    .selectFrom('unasked')
    .select('session_id as session')
    .where('id', '=', id)
    .where('closed_at', 'is', null)
    .where((where) =>
      where.exists(
        where
          .selectFrom('unasked_calls')
          .select('call_id')
          .whereRef('unasked_calls.unasked_id', '=', 'unasked.id')
          .where('call_id', '=', call)
          .where('again_run_id', 'is', null),
      ),
    )
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw gone(id)
  return row
}

function close(unit: Unit, id: UnaskedId) {
  return unit.db
    .updateTable('unasked')
    .set({ closed_at: unit.now })
    .where('id', '=', id)
    .where('closed_at', 'is', null)
    .returning(['session_id as session', 'count'])
    .executeTakeFirst()
}

function gone(id: UnaskedId): CountersignError {
  return new CountersignError('not_found', `There is nothing of ${id} that still waits.`)
}
