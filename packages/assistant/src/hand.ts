/** Owns what a room of the assistant works with: one transaction on the operator's rows, and the house around it. */
import type { OperatorId } from '@countersign/contract'
import type {
  InboundMessage,
  KernelTables,
  LimitedDb,
  RecordTransaction,
  RecordTransactions,
} from '@countersign/kernel'
import type { Kysely } from 'kysely'
import type { MindTables } from './tables.ts'

/** One transaction. What it records and emits is numbered at its end. */
export type Hand = Omit<RecordTransaction, 'allowances'>

export interface House {
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
export type Post = (hand: Hand, message: InboundMessage) => Promise<void>

export type MindDb = Kysely<KernelTables & MindTables>

/** The same connection, with the assistant's own tables. */
export function mindDb(db: LimitedDb): MindDb {
  return db as unknown as MindDb
}
