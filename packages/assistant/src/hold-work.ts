/** Holds work by the goal or the record that it is for, and has the lanes look after the commit. */
import type { AssistantTransaction } from './assistant-context.ts'

export type HoldWork = (tx: AssistantTransaction, ids: readonly string[], held: boolean) => Promise<void>

export function createHold(changed: () => Promise<void>, onProblem: (problem: unknown) => void): HoldWork {
  return async (tx, ids, held) => {
    if (ids.length === 0) return
    await (held ? tx.holds.hold(ids) : tx.holds.release(ids))
    tx.afterCommit(() => {
      changed().catch(onProblem)
    })
  }
}
