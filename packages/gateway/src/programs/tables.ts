/** The rows of the tables of programs. */
import type { PeerLimits, ProgramRole, SessionId } from '@countersign/contract'
import type { KernelTables, LimitedDb } from '@countersign/kernel'
import type { ColumnType, Kysely } from 'kysely'

/** What a program was told of what it asked. */
export type Told = 'no' | 'waiting' | 'end'

/** Who answers a proposed call: nobody. */
export const proposalAgent = ''

interface ProgramTables {
  programs: {
    operator_id: string
    name: string
    agents: ColumnType<string[], string, string>
    role: ProgramRole
    private: boolean
    limits: ColumnType<PeerLimits, string, string>
    paused: boolean
    token_hash: string
    token_end: string
    created_at: Date
    created_by: string
    last_used_at: Date | null
  }
  program_conversations: {
    operator_id: string
    program: string
    session_id: SessionId
    key: string | null
    at: Date
  }
  program_questions: {
    operator_id: string
    program: string
    id: string
    position: ColumnType<number, never, never>
    session_id: SessionId
    body_hash: string
    retry_key: string | null
    agent: string
    input_key: string | null
    after_hash: string | null
    told: Told
    at: Date
  }
}

/** The same connection, with the tables of programs. */
export function programDb(db: LimitedDb): Kysely<KernelTables & ProgramTables> {
  return db as unknown as Kysely<KernelTables & ProgramTables>
}
