/**
 * Deletes a conversation with every word of it: no list, no search and no model has it any more, and neither has the
 * database. That something was done in it stays in the ledger, and its runs stay where they are looked at.
 */
import type { SessionId } from '@countersign/contract'
import type { Actor } from '@countersign/kernel'
import type { AssistantTransaction } from '../assistant-context.ts'
import { eraseSession } from './erase.ts'

export async function removeSession(
  tx: AssistantTransaction,
  session: SessionId,
  actor: Actor,
): Promise<void> {
  const messages = await eraseSession(tx, session, 'delete')
  await tx.sessions.mark(session, { removed: true })
  tx.record({ type: 'session.removed', actor, session, data: { messages } })
}
