/** Owns the question whether the ledger takes entries now: one is written for real, and taken back. */
import type { OperatorId } from '@countersign/contract'
import type { Store } from '../store/store.ts'

export async function takesEntries(
  store: Store,
  operator: OperatorId,
  onProblem: (error: unknown) => void,
): Promise<boolean> {
  const takenBack = new Error('taken back')
  try {
    await store.transact(operator, async ({ db }) => {
      await db
        .insertInto('ledger_entries')
        .values({ operator_id: operator, seq: 0, type: 'probe', body: '', leaf: Buffer.alloc(0) })
        .execute()
      throw takenBack
    })
  } catch (error) {
    if (error === takenBack) return true
    onProblem(error)
  }
  return false
}
