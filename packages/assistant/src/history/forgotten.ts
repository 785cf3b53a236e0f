/** Owns the places of messages that are to be left out of every summary and every search. */
import type { OperatorId, SessionId } from '@countersign/contract'
import type { HistoryDb } from './tables.ts'

export async function markForgotten(
  db: HistoryDb,
  operator: OperatorId,
  places: readonly { readonly session: SessionId; readonly position: number }[],
): Promise<void> {
  if (places.length === 0) return
  await db
    .insertInto('forgotten_messages')
    .values(places.map(({ session, position }) => ({ operator_id: operator, session_id: session, position })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Of messages that are archived and of those that are not. */
export async function forgottenIn(db: HistoryDb, session: SessionId): Promise<ReadonlySet<number>> {
  const marked = await db
    .selectFrom('forgotten_messages')
    .select('position')
    .where('session_id', '=', session)
    .execute()
  const archived = await db
    .selectFrom('episodes')
    .select('forgotten')
    .where('session_id', '=', session)
    .execute()
  return new Set([
    ...marked.map(({ position }) => position),
    ...archived.flatMap(({ forgotten }) => forgotten),
  ])
}
