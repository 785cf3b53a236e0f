/** What every part of the assistant works with: one transaction on the operator's rows, and the context around it. */
import type { OperatorId } from '@countersign/contract'
import type {
  InboundMessage,
  KernelTables,
  LimitedDb,
  RecordTransaction,
  RecordTransactions,
} from '@countersign/kernel'
import type { Kysely } from 'kysely'
import type { AssistantTables } from './tables.ts'

/** One transaction. What it records and emits is numbered at its end. */
export type AssistantTransaction = Omit<RecordTransaction, 'allowances'>

export interface AssistantContext {
  readonly operator: OperatorId
  /** The only way to rows: `read` sees, `change` is one transaction. */
  readonly records: RecordTransactions
  readonly clock: () => Date
  readonly uuid: () => string
  /** Where the operator's days begin. */
  readonly zone: string
  readonly onProblem: (problem: unknown) => void
}

/** Sends a message to a lane once the transaction is committed, and never twice for one key. */
export type PostMessage = (tx: AssistantTransaction, message: InboundMessage) => Promise<void>

export type AssistantDb = Kysely<KernelTables & AssistantTables>

/** The same connection, with the assistant's own tables. */
export function assistantDb(db: LimitedDb): AssistantDb {
  return db as unknown as AssistantDb
}
