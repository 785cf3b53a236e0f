/**
 * Owns sessions in which nothing is done: they were forked to see what would be. Every call is answered with what was
 * recorded where the session came from, and otherwise with the plain word that nothing came of it.
 */
import { operatorLabel, type SessionId } from '@countersign/contract'
import type { CallMiddleware } from '@countersign/kernel'
import { historyDb } from './tables.ts'

const nothing = 'This is a simulation. Nothing like this call was recorded, so nothing came of it.'
/** A session is simulated from its first moment or never, so what was seen stays true. */
const mostRemembered = 1_000

export function simulation(): CallMiddleware {
  const known = new Map<SessionId, { readonly session: SessionId; readonly at: Date } | null>()
  return {
    name: 'simulation',
    async before(unit, { run, tool, args }) {
      const db = historyDb(unit.db)
      let source = known.get(run.session)
      if (source === undefined) {
        const origin = await db
          .selectFrom('session_origins')
          .select(['forked_from', 'at'])
          .where('session_id', '=', run.session)
          .where('simulated', '=', true)
          .executeTakeFirst()
        source = origin?.forked_from ? { session: origin.forked_from, at: origin.at } : null
        if (known.size >= mostRemembered) known.clear()
        known.set(run.session, source)
      }
      // A question to the operator does nothing, and its answer is part of what is being tried.
      if (source === null || tool.runs === 'operator') return undefined
      const recorded = await db
        .selectFrom('calls')
        .innerJoin('runs', 'runs.id', 'calls.run_id')
        .select(['result_text', 'runs.label'])
        .where('calls.session_id', '=', source.session)
        // What came later is not what the session was forked from.
        .where('calls.ended_at', '<=', source.at)
        .where('tool', '=', tool.name)
        .where('args', '=', args)
        .where('outcome', '=', 'ok')
        .orderBy('calls.id', 'desc')
        .limit(1)
        .executeTakeFirst()
      // The session may have begun a new task since it was forked; the answer is worth what it was where it came from.
      return recorded
        ? { instead: recorded.result_text, label: recorded.label }
        : { instead: nothing, label: operatorLabel }
    },
  }
}
