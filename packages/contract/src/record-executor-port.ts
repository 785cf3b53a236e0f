/** What the executor of record tools needs of whoever keeps the records. Types only. */
import type { BudgetExtensions } from './budget-extension.ts'
import type { ExecuteReply } from './executor-protocol.ts'
import type { CallId, OperatorId } from './ids.ts'
import type { Records } from './records.ts'

export interface RecordToolTransaction {
  readonly records: Records
  /** Refuses outside the transaction of a permitted call. */
  readonly budgetExtensions: BudgetExtensions
  readonly now: Date
}

export interface RecordToolTransactions<Transaction extends RecordToolTransaction> {
  read<T>(operator: OperatorId, work: (unit: Transaction) => Promise<T>): Promise<T>
  /** Uses a permit once: what was done before is told again, and what is refused leaves nothing. */
  use(
    operator: OperatorId,
    permit: { readonly nonce: string; readonly digest: string; readonly call: CallId },
    work: (unit: Transaction) => Promise<RecordToolEnd>,
  ): Promise<RecordToolEnd>
}

export type RecordToolEnd = Extract<ExecuteReply, { kind: 'done' | 'refused' }>
