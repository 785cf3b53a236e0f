/** Empties a conversation, which goes on: no one sees any more what was said in it, and a model begins anew. */
import type { SessionId } from '@countersign/contract'
import type { Actor } from '@countersign/kernel'
import type { AssistantTransaction } from '../assistant-context.ts'
import { eraseSession } from './erase.ts'

export async function clearSession(
  tx: AssistantTransaction,
  session: SessionId,
  actor: Actor,
): Promise<number> {
  const messages = await eraseSession(tx, session, 'clear')
  tx.record({ type: 'session.cleared', actor, session, data: { messages } })
  return messages
}
