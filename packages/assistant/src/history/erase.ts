/** Owns what goes with the words of a conversation: what was kept of it for searches and for later conversations. */
import { CountersignError, type SessionId } from '@countersign/contract'
import type { AssistantTransaction } from '../assistant-context.ts'
import { eraseEndings } from '../schedules/occurrences.ts'
import { shareHistory } from './lock.ts'
import { historyDb } from './tables.ts'
import { noSession } from './thread.ts'

/** How many messages there were. Refuses while something of it works or is due; what else waits in it goes with it. */
export async function eraseSession(
  tx: AssistantTransaction,
  session: SessionId,
  what: 'clear' | 'delete',
): Promise<number> {
  if (!(await tx.sessions.lock(session))) throw noSession(session)
  const messages = await tryToErase(tx, session)
  if (messages === null)
    throw new CountersignError(
      'conflict',
      'A run of this conversation, or of a reader for it, is not over.',
      {
        next: `Let it end or stop it, resume what is paused, then ${what} the conversation.`,
      },
    )
  return messages
}

/** The same where the session is locked; null, and nothing is erased, while something of it works or is due. */
export async function tryToErase(tx: AssistantTransaction, session: SessionId): Promise<number | null> {
  const db = historyDb(tx.db)
  await shareHistory(db, tx.operator)
  const messages = await db
    .selectFrom('messages')
    .select('position')
    .where('session_id', '=', session)
    .orderBy('position')
    .execute()
  if (!(await tx.sessions.eraseWords(session))) return null
  await db.deleteFrom('episodes').where('session_id', '=', session).execute()
  await db.deleteFrom('forgotten_messages').where('session_id', '=', session).execute()
  await eraseEndings(tx, session)
  tx.emit({ type: 'session.erased', session })
  const last = messages.at(-1)
  if (last) await tx.sessions.archiveTo(session, last.position)
  return messages.length
}
