/**
 * Owns how much of a session a model is shown, and what that is worth. After a silence a task begins anew: nothing from
 * before is shown, so nothing from before counts. What was said earlier is found by searching, which takes its label in.
 */
import { conversationWindow } from '@countersign/agent'
import { joinLabels, type Label, operatorLabel, type SessionId } from '@countersign/contract'
import { type ExpressionBuilder, sql } from 'kysely'
import type { Db } from './store.ts'
import type { Tables } from './tables.ts'

/** Whether the next message begins a task of its own. */
export function beginsTask(
  session: { readonly updated_at: Date },
  now: Date,
  silenceMs: number = conversationWindow.quietMs,
): boolean {
  return now.getTime() - session.updated_at.getTime() >= silenceMs
}

/** The position of the first message that a model may be shown. */
export function shownFrom(from: Pick<ExpressionBuilder<Tables, never>, 'selectFrom'>, session: SessionId) {
  return from
    .selectFrom('sessions')
    .select(sql<number>`greatest(archived_to + 1, window_from)`.as('from'))
    .where('id', '=', session)
}

/** What a model would be shown of the session is worth what the runs were that have a part in it. */
export async function windowLabel(db: Db, session: SessionId): Promise<Label> {
  const runs = await db
    .selectFrom('runs')
    .select('label')
    .where('id', 'in', (shown) =>
      shown
        .selectFrom('messages')
        .select('run_id')
        .where('session_id', '=', session)
        .where('position', '>=', (window) => shownFrom(window, session)),
    )
    .execute()
  return runs.reduce((joined, { label }) => joinLabels(joined, label), operatorLabel)
}
