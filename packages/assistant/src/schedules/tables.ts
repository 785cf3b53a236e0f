/** Owns the row types of the tables that the scheduler keeps. */
import type {
  OccurrenceCause,
  OccurrenceReason,
  OperatorId,
  RunId,
  SessionId,
  StoredState,
  Trigger,
} from '@countersign/contract'
import type { KernelTables, LimitedDb } from '@countersign/kernel'
import type { ColumnType, Generated, Kysely, Selectable } from 'kysely'

export interface ScheduleTables {
  schedule_cursors: {
    operator_id: OperatorId
    schedule: string
    record_version: Generated<number>
    version: Generated<number>
    trigger: ColumnType<Trigger | null, string | undefined, string>
    considered_at: Date
    next_at: Date | null
    listens: Generated<boolean>
    watches: Generated<boolean>
    ledger_seq: number
    seen: string | null
  }
  occurrences: {
    operator_id: OperatorId
    id: string
    schedule: string
    key: string
    version: number
    cause: OccurrenceCause
    due_at: Date
    state: StoredState
    reason: Generated<OccurrenceReason>
    session_id: SessionId | null
    run_id: RunId | null
    message: Generated<string>
    created_at: Date
    ended_at: Date | null
  }
  clock_spans: { operator_id: OperatorId; id: string; from_at: Date; until_at: Date }
}

export type OccurrenceRow = Selectable<ScheduleTables['occurrences']>

/** The same connection, with the tables of this folder. */
export function tablesOn(db: LimitedDb): Kysely<KernelTables & ScheduleTables> {
  return db as unknown as Kysely<KernelTables & ScheduleTables>
}
