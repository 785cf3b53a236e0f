/** A unit for tests that have no database: whoever reaches for one fails. Never for use outside tests. */
import { idFrom, noBudgetExtensions } from '@countersign/contract'
import type { RecordTransaction } from '@countersign/kernel'

export const bareUnit: Omit<RecordTransaction, 'records' | 'now'> = {
  operator: idFrom('op', '0'.repeat(32)),
  budgetExtensions: noBudgetExtensions,
  db: {} as never,
  lockRecords: () => Promise.reject(new Error('there is no database')),
  isolated: () => Promise.reject(new Error('there is no database')),
  sessions: {} as never,
  holds: {} as never,
  forgetting: {} as never,
  record: () => undefined,
  emit: () => undefined,
  afterCommit: () => undefined,
}
