/**
 * Deletes a conversation: no list, no search and no model has a word of it any more. Its runs stay where they are looked
 * at. The ledger keeps the beginning of what was said and done, so that it can be verified.
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
