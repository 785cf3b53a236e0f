/**
 * Deletes a conversation for whoever looks: no list, no search and no model has it any more. What was done in it stays
 * in the ledger, and its runs stay where they are looked at.
 */
import { CountersignError, type SessionId } from '@countersign/contract'
import type { Actor } from '@countersign/kernel'
import type { AssistantTransaction } from '../assistant-context.ts'
import { markForgotten } from './forgotten.ts'
import { shareHistory } from './lock.ts'
import { historyDb } from './tables.ts'
import { noSession } from './thread.ts'

export async function removeSession(
  tx: AssistantTransaction,
  session: SessionId,
  actor: Actor,
): Promise<void> {
  const held = await tx.sessions.lock(session)
  if (!held) throw noSession(session)
  if (await tx.sessions.isBusy(session, null))
    throw new CountersignError('conflict', 'A run of this conversation is active or waiting for you.', {
      next: 'Let it end or stop it, then delete the conversation.',
    })
  const db = historyDb(tx.db)
  await shareHistory(db, tx.operator)
  const messages = await db
    .selectFrom('messages')
    .select('position')
    .where('session_id', '=', session)
    .orderBy('position')
    .execute()
  await markForgotten(
    db,
    tx.operator,
    messages.map(({ position }) => ({ session, position })),
  )
  await db.deleteFrom('episodes').where('session_id', '=', session).execute()
  const last = messages.at(-1)
  if (last) await tx.sessions.archiveTo(session, last.position)
  await tx.sessions.mark(session, { removed: true })
  tx.record({ type: 'session.removed', actor, session, data: { messages: messages.length } })
}
