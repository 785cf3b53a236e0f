/** Owns the row types of conversations that ended. */
import type { ArchiveReason, Label, OperatorId, SessionId } from '@countersign/contract'
import type { KernelTables, LimitedDb } from '@countersign/kernel'
import type { ColumnType, Generated, Kysely } from 'kysely'
import type { ConversationLine } from './turn.ts'

type Json<T> = ColumnType<T, string, string>

export interface HistoryTables {
  episodes: {
    operator_id: OperatorId
    id: string
    session_id: SessionId
    agent: string
    goal: string | null
    from_position: number
    to_position: number
    summary: string
    summarised_by: 'model' | 'fallback'
    turns: Json<readonly ConversationLine[]>
    words: ColumnType<string, unknown, unknown>
    message_count: number
    token_count: number
    reason: ArchiveReason
    started_at: Date
    ended_at: Date
    archived_at: Date
    label: Json<Label>
    forgotten: ColumnType<readonly number[], string | undefined, string>
    revision: Generated<number>
    due_at: Date | null
    tries: Generated<number>
  }
  episode_words: { operator_id: OperatorId; word: string; episode: string }
  forgotten_messages: { operator_id: OperatorId; session_id: SessionId; position: number }
  session_origins: {
    operator_id: OperatorId
    session_id: SessionId
    kind: 'fork' | 'import'
    forked_from: SessionId | null
    up_to: number | null
    simulated: Generated<boolean>
    at: Date
  }
}

export type HistoryDb = Kysely<KernelTables & HistoryTables>

/** The same connection, with the tables of this folder. */
export function historyDb(db: LimitedDb): HistoryDb {
  return db as unknown as HistoryDb
}
